/** Made-up source texts, and random edits as a person makes them; the same seed gives the same. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TextChange } from "../../../../src/core/analysis/document/change.js";

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A whole number from 0 to below `most`. */
  below(most: number): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * most);
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.below(from.length)];
    if (picked === undefined) throw new Error("nothing to pick from");
    return picked;
  }
}

const SHAPES: readonly ((name: string, n: number) => string)[] = [
  (name, n) =>
    `def ${name}(items, limit=${n}):\n    found = []\n    for item in items:\n        found.append(item)\n    return found\n`,
  (name) =>
    `def ${name}(value):\n    if value == True:\n        return True\n    else:\n        return False\n`,
  (name, n) =>
    `def ${name}(a, b):\n    # say what happens\n    if a:\n        if b:\n            return ${n}\n    try:\n        return a[b]\n    except KeyError:\n        raise\n`,
  (name) =>
    `def ${name}(self_or_none):\n    return str(str(self_or_none))  # slop-lens-ignore[redundant-str-call]\n`,
  (name, n) =>
    `class ${name.replace(/^./, (first) => first.toUpperCase())}:\n    """A thing."""\n\n    size = ${n}\n\n    def grow(self, by):\n        if len(self.parts) == 0:\n            return None\n        while by > 0 and self.size < ${n + 100}:\n            by -= 1\n            self.size += 1\n        return None\n\n    @property\n    def double(self):\n        return self.size * 2\n`,
  (name, n) => `${name} = {"a": ${n}, "b": [${n}, ${n + 1}]}\n`,
  (name) => `if __name__ == "${name}":\n    print("${name}")\nelif ${name} is not None:\n    pass\n`,
  (name) => `# ast-grep-ignore\nfor ${name} in range(len([])):\n    print(${name})\n    print(${name})\n`,
  (name) => `${name} = 1; other = 2\n`,
  (name) => `text_${name} = f"""\n  {${name}} and {{braces}}\n"""\n`,
];

/** Python of about so many lines, with things that rules match. */
export function pythonText(random: Random, lines: number): string {
  const parts = ["import os\nimport sys\nfrom typing import Any\n"];
  for (let count = 3, index = 0; count < lines; index++) {
    const part = random.pick(SHAPES)(`name_${index}`, random.below(90));
    parts.push(part);
    count += part.split("\n").length + 1;
  }
  return parts.join("\n\n");
}

/** A source file of this project. */
export function ownText(path: string): string {
  return readFileSync(join(import.meta.dirname, "../../../..", path), "utf8");
}

/** A random line of a text. */
interface Line {
  /** Offset of its first unit. */
  readonly start: number;
  readonly content: string;
  readonly indent: string;
  readonly lines: readonly string[];
  readonly index: number;
}

function randomLine(random: Random, text: string): Line {
  const lines = text.split("\n");
  const index = random.below(lines.length);
  const content = lines[index] ?? "";
  const start = lines.slice(0, index).reduce((sum, line) => sum + line.length + 1, 0);
  return { start, content, indent: /^\s*/.exec(content)?.[0] ?? "", lines, index };
}

const CHARACTERS = ["a", "b", "_", " ", "(", "0", ".", "#", '"', "\n"];
const COMMENTS = ["# ast-grep-ignore\n", "# slop-lens-ignore[unnecessary-elif]\n", "\n", "# note\n"];
const FIRST_LINES = ["\n", "# ast-grep-ignore\n\n", "x = 1\n"];

const EDITS: readonly ((random: Random, line: Line) => TextChange[])[] = [
  (random, { start, content }) => [
    { offset: start + random.below(content.length + 1), length: 0, text: random.pick(CHARACTERS) },
  ],
  (random, { start, indent }) => [
    { offset: start, length: 0, text: `${indent}extra = ${random.below(9)}\n` },
  ],
  (_, { start, indent }) => [
    {
      offset: start,
      length: 0,
      text: `${indent}if extra == True:\n${indent}    extra = len(extra) == 0\n`,
    },
  ],
  (random, { start, lines, index }) => {
    const gone = lines.slice(index, index + 1 + random.below(3)).join("\n");
    return [{ offset: start, length: gone.length, text: "" }];
  },
  (random, { start, lines }) => {
    const from = random.below(lines.length);
    return [{ offset: start, length: 0, text: `${lines.slice(from, from + random.below(20)).join("\n")}\n` }];
  },
  (random, { start }) => [{ offset: start, length: 0, text: random.pick(COMMENTS) }],
  (random, { start, content }) => [
    { offset: start + content.length, length: 0, text: "  # behind" },
    { offset: 0, length: 0, text: random.pick(FIRST_LINES) },
  ],
  (_, { start, content }) => {
    const at = Math.max(0, content.search(/\w+\s*$/));
    return [{ offset: start + at, length: content.length - at, text: "renamed" }];
  },
];

/**
 * The next edit: one change or more, each placed in the text that the one before left.
 * @param earlier texts that an undo may go back to
 * @param isBroken makes an undo likely
 */
export function randomEdit(
  random: Random,
  text: string,
  earlier: readonly string[],
  isBroken: boolean,
): TextChange[] {
  const undone = earlier.at(-1 - random.below(Math.min(3, earlier.length)));
  const isUndo = random.below(isBroken ? 3 : 10) < 2;
  if (isUndo && undone !== undefined) return [{ offset: 0, length: text.length, text: undone }];
  return random.pick(EDITS)(random, randomLine(random, text));
}
