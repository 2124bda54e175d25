// What keeps people out of a page, as a list of sentences: none if nothing does.
() => {
  const problems = [];
  const say = (what, node) =>
    problems.push(node ? `${what}: ${node.outerHTML.slice(0, 120)}` : what);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const shown = (node) =>
    node.checkVisibility({ visibilityProperty: true }) && !node.closest("[inert]");
  const boxOf = (node) => node.getBoundingClientRect();

  // The page as a whole
  if (!document.documentElement.lang) say("the page has no language");
  if (!document.title.trim()) say("the page has no title");
  for (const landmark of ["header", "main", "footer"]) {
    if (all(landmark).filter((node) => !node.closest("article, section")).length !== 1)
      say(`there is not one ${landmark}`);
  }
  if (!all('[aria-live], [role="status"], [role="log"], [role="alert"]').length)
    say("nothing is announced");
  const ids = all("[id]").map((node) => node.id);
  for (const id of new Set(ids))
    if (ids.filter((other) => other === id).length > 1) say(`the id ${id} is there twice`);
  for (const node of all("[aria-labelledby], [aria-describedby], [aria-controls], label[for]")) {
    const named = ["aria-labelledby", "aria-describedby", "aria-controls", "for"].flatMap((name) =>
      (node.getAttribute(name) ?? "").split(/\s+/).filter(Boolean),
    );
    for (const id of named)
      if (!document.getElementById(id)) say(`it refers to ${id}, which is not there`, node);
  }

  // Headings
  const headings = all("h1, h2, h3, h4, h5, h6").filter(shown);
  const levels = headings.map((node) => Number(node.tagName[1]));
  if (levels.filter((level) => level === 1).length !== 1)
    say(`there are ${levels.filter((level) => level === 1).length} first headings`);
  levels.forEach((level, at) => {
    if (level > (levels[at - 1] ?? 0) + 1) say("a level of headings is skipped", headings[at]);
    if (!headings[at].textContent.trim()) say("a heading is empty", headings[at]);
  });

  // Controls
  const CONTROLS = [
    "a[href], button, select, textarea, summary, [role=button]",
    "input:not([type=hidden]), [tabindex]:not([tabindex^='-'])",
  ].join(", ");
  const nameOf = (node) => {
    const labels = (node.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter(Boolean);
    const parts = [
      labels.map((id) => document.getElementById(id)?.textContent ?? "").join(" "),
      node.getAttribute("aria-label"),
      [...(node.labels ?? [])].map((label) => label.textContent).join(" "),
      node.matches("input, select, textarea") ? "" : node.textContent,
      ...all("img", node).map((image) => image.alt),
      node.querySelector(":scope > title")?.textContent,
      node.getAttribute("title"),
    ];
    return parts.find((part) => part?.trim()) ?? "";
  };
  const controls = all(CONTROLS).filter(shown);
  for (const node of controls) {
    if (!nameOf(node)) say("a control has no name", node);
    if (node.tabIndex > 0) say("a control jumps the queue", node);
    const around = node.parentElement.closest('a[href], button, [role="button"]');
    if (around) say("a control is inside another", node);
    const inText = node.matches("a") && getComputedStyle(node).display === "inline";
    const target = node.labels?.[0]?.contains(node) ? node.labels[0] : node;
    const { width, height } = boxOf(target);
    const offPage = boxOf(node).bottom < 0; // it comes when it is focused
    if (!inText && !offPage && Math.min(width, height) < 24)
      say(`a target is only ${Math.round(width)} by ${Math.round(height)}`, node);
  }
  for (const image of all("img").filter(shown))
    if (!image.hasAttribute("alt")) say("an image has no words for it", image);
  for (const picture of all("svg").filter(shown)) {
    const hidden = picture.closest('[aria-hidden="true"]');
    if (!hidden && !nameOf(picture)) say("a picture has no name", picture);
    if (hidden && picture.querySelector('[tabindex="0"]'))
      say("a hidden picture can be focused", picture);
  }
  for (const field of all("fieldset").filter(shown))
    if (!field.querySelector("legend")?.textContent.trim()) say("a group has no legend", field);

  // Contrast
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const channels = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return { rgb: [red, green, blue], alpha: alpha / 255 };
  };
  const over = (front, alpha, back) =>
    front.map((value, at) => value * alpha + back[at] * (1 - alpha));
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ratio = (one, other) => {
    const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = (node) => {
    const chain = [];
    for (let at = node; at; at = at.parentElement) chain.unshift(at);
    return chain.reduce((back, at) => {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none") return null; // it is not one colour
      if (!back) return back;
      const { rgb, alpha } = channels(style.backgroundColor);
      return over(rgb, alpha, back);
    }, channels("Canvas").rgb);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const node = text.parentElement;
    const { width, height } = boxOf(node);
    if (!text.textContent.trim() || !shown(node) || width < 2 || height < 2) continue;
    if (node.closest("svg, :disabled, noscript, option") || boxOf(node).bottom < 0) continue;
    const back = ground(node);
    if (!back) continue;
    const style = getComputedStyle(node);
    let opacity = 1;
    for (let at = node; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    const { rgb, alpha } = channels(style.color);
    const size = Number.parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const found = ratio(over(rgb, alpha * opacity, back), back);
    if (found < (large ? 3 : 4.5)) say(`text has a contrast of only ${found.toFixed(2)}`, node);
  }

  // Room
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) say(`the page is ${wide} wide where there is room for ${innerWidth}`);
  return problems;
};
