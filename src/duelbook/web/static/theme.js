// The theme. It loads before the page is drawn, so that no page flashes in the wrong colours.
(() => {
  const KEY = "duelbook.theme";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");

  const savedTheme = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };

  /** @param {string} theme */
  const show = (theme) => {
    root.dataset.theme = theme;
    const background = theme === "dark" ? "#16140f" : "#f7f2e7"; // as in colours.css
    document.querySelector("meta[name=theme-color]")?.setAttribute("content", background);
    const button = document.getElementById("theme");
    if (!button) return;
    const other = theme === "dark" ? "light" : "dark";
    button.textContent = theme === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", `Change to ${other} colours`);
  };

  const refresh = () => show(savedTheme() ?? (system.matches ? "dark" : "light"));

  const change = () => {
    const theme = root.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // The browser stores nothing. The theme lasts until the player leaves the page.
    }
    show(theme);
  };

  refresh();
  system.addEventListener("change", refresh);
  addEventListener("storage", refresh);
  document.addEventListener("DOMContentLoaded", () => {
    refresh();
    document.getElementById("theme")?.addEventListener("click", change);
  });
})();
