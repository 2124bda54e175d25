// Numbers that count from their old to their new value.

/**
 * Lets the number in a text begin where it was, and returns what counts it on to where it is. What
 * was drawn in between stays.
 *
 * @param {{ textContent: string | null } | null | undefined} node
 * @param {number} by how much it has changed
 * @returns {(done: number) => void}
 */
export function countingText(node, by) {
  const final = node?.textContent ?? "";
  const value = Number.parseInt(final, 10);
  if (!node || Number.isNaN(value)) return () => {};
  const write = (/** @type {number} */ done) => {
    const shown = value - by + Math.sign(by) * done;
    node.textContent = done === Math.abs(by) ? final : final.replace(/^-?\d+/, `${shown}`);
    return node.textContent;
  };
  let written = write(0);
  return (done) => {
    if (node.textContent === written) written = write(done);
  };
}
