// Numbers that count from their old to their new value.

/**
 * Set the number in a text back to its old value, and return a function that counts it up or down
 * to its new value. A text that was redrawn meanwhile stays as it is.
 *
 * @param {{ textContent: string | null } | null | undefined} node
 * @param {number} by the difference between the new and the old value
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
