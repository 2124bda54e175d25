// Links to a game: for a friend who is to play, and for anyone who is to see it.

import * as api from "./api.js";
import { button, el } from "./dom.js";
import * as seats from "./saved_seats.js";
import { count } from "./text_format.js";

const address = (id) => `${location.origin}/g/${encodeURIComponent(id)}`;

function copied(id, kind = "") {
  const link = el("input", { type: "text", readonly: true, value: address(id), "aria-label": "Link to this game", "data-testid": "link" });
  const done = el("span", { role: "status", class: "soft" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link.value);
    } catch {
      link.select();
      document.execCommand("copy");
    }
    done.textContent = "Copied.";
  };
  return [link, el("div", { class: "row" }, button("Copy the link", copy, { class: kind, "data-testid": "copy-link" }), done)];
}

export function invitation(id) {
  const qr = el("img", { src: `/g/${encodeURIComponent(id)}/qr.svg`, alt: "The link as a code for a phone's camera", width: "152", height: "152" });
  return el(
    "section",
    { class: "sheet invite", "aria-label": "Invite a friend" },
    el("h3", {}, "Send this link to your friend"),
    el("div", { class: "invite-body" }, el("div", { class: "link" }, copied(id, "main")), qr),
    el("p", { class: "soft" }, "The first to sit down plays; anyone else who opens it watches."),
  );
}

export function sharing(id) {
  return el(
    "div",
    { class: "stack" },
    el("div", { class: "link" }, copied(id)),
    el("a", { class: "button", href: `/api/games/${encodeURIComponent(id)}/save`, download: true, "data-testid": "download" }, "Download the game"),
  );
}

export function openSeat({ id, title, table }) {
  const name = el("input", { type: "text", name: "name", maxlength: "24", value: seats.myName(), autocomplete: "off" });
  const help = el("input", { type: "checkbox", name: "help" });
  const refusal = el("p", { class: "refusal", role: "alert" });
  const seat = table.chairs.findIndex(({ kind }) => kind === "person");
  const host = table.chairs[seat]?.name;
  const form = el(
    "form",
    { class: "sheet stack", "aria-label": "Sit down" },
    el("h3", {}, host ? `${host} invites you to play` : "A seat is open"),
    el("p", { class: "soft", "data-testid": "terms" }, [timeControl(table.clocks), host && helpOf(host, table.help[seat])].filter(Boolean).join(" ")),
    el("label", {}, "Your name", name),
    el("label", { class: "check" }, help, el("span", {}, "Allow hints and the evaluation bar (when both sides do)")),
    refusal,
    el("button", { class: "main", type: "submit", "data-testid": "sit-down" }, "Sit down and play"),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const seated = await api.sitDown(id, { name: name.value.trim(), help: help.checked });
      if (name.value.trim()) seats.myName(name.value.trim());
      seats.keep(id, { secret: seated.secret, seats: seated.seats, title });
      location.reload();
    } catch (problem) {
      refusal.textContent = problem.message;
    }
  });
  return form;
}

function timeControl(clocks) {
  if (!clocks) return "There is no clock.";
  const more = clocks.increment ? `, and ${duration(clocks.increment)} more for each move` : "";
  return `Each has ${duration(Math.max(...clocks.left))}${more}.`;
}

function duration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  const parts = [[Math.floor(seconds / 60), "minute"], [seconds % 60, "second"]];
  return parts.filter(([number]) => number).map(([number, thing]) => count(number, thing)).join(" ");
}

function helpOf(host, allowed) {
  return allowed ? `${host} allows hints and the evaluation bar.` : `${host} does not allow hints or the evaluation bar.`;
}
