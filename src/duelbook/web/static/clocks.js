// Clocks that run on between two messages of the server, which alone decides when time is up.

export class ClockFaces {
  constructor() {
    this.faces = [null, null];
    setInterval(() => this.show(), 200);
  }

  hear(clocks) {
    this.clocks = clocks ?? null;
    this.heard = performance.now();
    this.show();
  }

  left(seat) {
    const { left, running } = this.clocks;
    const gone = running === seat ? performance.now() - this.heard : 0;
    return Math.max(0, left[seat] - gone);
  }

  show() {
    if (!this.clocks) return;
    this.faces.forEach((face, seat) => {
      if (!face) return;
      const left = this.left(seat);
      const text = spoken(left);
      if (face.textContent !== text) face.textContent = text;
      face.classList.toggle("low", left < 10_000);
    });
  }
}

export function spoken(milliseconds) {
  if (milliseconds < 10_000) return (Math.floor(milliseconds / 100) / 10).toFixed(1);
  const seconds = Math.ceil(milliseconds / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
