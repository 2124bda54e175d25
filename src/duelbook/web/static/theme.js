// Loaded before anything is drawn, so that no page flashes in the wrong colours.
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const kept = () => {
    try {
      return localStorage.getItem("duelbook.theme");
    } catch {
      return null;
    }
  };
  const show = () => {
    const theme = kept() ?? (system.matches ? "dark" : "light");
    root.dataset.theme = theme;
    const button = document.getElementById("theme");
    if (!button) return;
    const other = theme === "dark" ? "light" : "dark";
    button.textContent = theme === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", `Change to ${other} colours`);
  };
  show();
  system.addEventListener("change", show);
  addEventListener("storage", show);
  document.addEventListener("DOMContentLoaded", () => {
    show();
    document.getElementById("theme").addEventListener("click", () => {
      try {
        localStorage.setItem("duelbook.theme", root.dataset.theme === "dark" ? "light" : "dark");
      } catch {
        root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
        return;
      }
      show();
    });
  });
})();
