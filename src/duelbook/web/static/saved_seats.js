// The secrets of the seats that this browser holds. They leave it only as proof to the server.

const KEY = "duelbook.seats";
const MOST = 60;

function all() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

export function keep(id, seat) {
  const entries = Object.entries({ ...all(), [id]: { ...seat, when: Date.now() } });
  entries.sort(([, a], [, b]) => b.when - a.when);
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(entries.slice(0, MOST))));
}

export function held(id) {
  return all()[id] ?? null;
}

// The games sat down to, latest first, without their secrets.
export function games() {
  return Object.entries(all())
    .sort(([, a], [, b]) => b.when - a.when)
    .map(([id, { title, when, over, against }]) => ({ id, title, when, over, against }));
}

export function note(id, facts) {
  const seat = held(id);
  if (seat && Object.entries(facts).some(([name, value]) => seat[name] !== value)) {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [id]: { ...seat, ...facts } }));
  }
}

export function myName(name) {
  try {
    if (name !== undefined) localStorage.setItem("duelbook.name", name);
    return localStorage.getItem("duelbook.name") ?? "";
  } catch {
    return name ?? "";
  }
}
