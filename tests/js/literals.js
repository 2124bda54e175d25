// The literals in the source of a module: its strings, and the parts of its templates.

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y;
const TEMPLATE_PART = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;
const PATTERN = /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
const BEFORE_PATTERN = /(^|[(,=:[!&|?{};>]|\breturn)\s*$/;
const LOOK_BACK = 40;

/** @typedef {{ text: string, line: number, before: string }} Literal */

/**
 * The literals of a module, each with its line, and the last of the code before it.
 *
 * @param {string} source
 */
export function literalsOf(source) {
  return new Scanner(source).scan();
}

class Scanner {
  /** @type {Literal[]} */
  #found = [];
  /** @type {number[]} For each template that we are in, how many braces are open in its value. */
  #templates = [];
  #at = 0;
  #code = "";

  /** @param {string} source */
  constructor(source) {
    this.source = source;
  }

  scan() {
    while (this.#at < this.source.length) {
      if (this.#read(COMMENT)) continue;
      const string = this.#read(STRING);
      if (string) this.#keep(string.slice(1, -1));
      else if (this.#read(/`/y)) this.#readTemplate();
      else if (!BEFORE_PATTERN.test(this.#code) || !this.#read(PATTERN)) this.#readCode();
    }
    return this.#found;
  }

  /** @param {RegExp} part what is read, if it is next */
  #read(part) {
    part.lastIndex = this.#at;
    const [text] = part.exec(this.source) ?? [""];
    this.#at += text.length;
    return text;
  }

  // A template, or what follows a value in it, up to its next value or its end.
  #readTemplate() {
    this.#keep(this.#read(TEMPLATE_PART));
    if (this.#read(/\$\{/y)) this.#templates.push(0);
    else this.#read(/`/y);
  }

  #readCode() {
    const letter = this.source[this.#at];
    this.#at += 1;
    this.#code = (this.#code + letter).slice(-LOOK_BACK);
    const open = this.#templates.pop();
    if (open === undefined) return;
    if (letter === "}" && !open) this.#readTemplate();
    else this.#templates.push(open + Number(letter === "{") - Number(letter === "}"));
  }

  /** @param {string} text */
  #keep(text) {
    const line = this.source.slice(0, this.#at).split("\n").length;
    this.#found.push({ text, line, before: this.#code });
    this.#code = `${this.#code}""`;
  }
}
