import { RuleTrouble } from "./trouble.js";

const WORD = "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]";

/** What Rust's expressions, in which rules are written, mean by their short classes: characters of any script. */
const ANY_SCRIPT: Readonly<Record<string, string>> = {
  d: "\\p{Nd}",
  D: "\\P{Nd}",
  s: "\\p{White_Space}",
  S: "\\P{White_Space}",
  w: WORD,
  W: WORD.replace("[", "[^"),
  b: `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`,
  B: `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`,
};
/** In ASCII, the short classes of JavaScript are the same, and far faster. */
const ASCII: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(ANY_SCRIPT).map((name) => [name, `\\${name}`]),
);
const EDGES: Readonly<Record<string, string>> = { A: "^", z: "$" };
const CONTROLS = /^[nrtfv]$/u;
/** Characters that JavaScript takes for syntax and wants to be escaped. */
const SYNTAX = /[\^$\\.*+?()[\]{}|/-]/u;

/** A regular expression of a rule. */
export interface RuleRegExp {
  readonly anyScript: RegExp;
  /** The same for texts that are all ASCII. */
  readonly ascii: RegExp;
}

/**
 * Translates a regular expression from Rust's dialect.
 * @throws RuleTrouble when it is not valid, or uses what has no counterpart
 */
export function toRegExp(source: string): RuleRegExp {
  return { anyScript: translate(source, ANY_SCRIPT), ascii: translate(source, ASCII) };
}

function translate(source: string, classes: Readonly<Record<string, string>>): RegExp {
  const flags = /^\(\?([is]+)\)/u.exec(source);
  const dotMatchesAll = flags?.[1]?.includes("s") === true;
  const body = new Translation(source.slice(flags?.[0].length ?? 0), classes, dotMatchesAll).run();
  try {
    return new RegExp(body, flags?.[1]?.includes("i") === true ? "iu" : "u");
  } catch (error) {
    throw trouble(source, error instanceof Error ? error.message : String(error));
  }
}

function trouble(source: string, why: string): RuleTrouble {
  return new RuleTrouble(`The regular expression \`${source}\` cannot be used: ${why}`);
}

class Translation {
  #at = 0;

  constructor(
    private readonly source: string,
    private readonly classes: Readonly<Record<string, string>>,
    private readonly dotMatchesAll: boolean,
  ) {}

  run(): string {
    let result = "";
    while (this.#at < this.source.length) result += this.#next();
    return result;
  }

  #next(): string {
    const char = this.source.charAt(this.#at++);
    if (char === "\\") return this.#escape();
    if (char === "[") return this.#class();
    if (char === ".") return this.dotMatchesAll ? "[^]" : "[^\\n]";
    if (char === "(") return this.#group();
    return char;
  }

  #escape(): string {
    const char = this.source.charAt(this.#at++);
    // Outside of a class a hyphen is no syntax, and JavaScript refuses to have it escaped.
    return char === "-" ? char : (this.classes[char] ?? EDGES[char] ?? this.#literal(char));
  }

  /** An escaped character that means the same in and outside of classes. */
  #literal(char: string): string {
    if (CONTROLS.test(char)) return `\\${char}`;
    if (char === "" || /[\p{L}\p{N}]/u.test(char)) throw trouble(this.source, `\\${char} is not known`);
    return SYNTAX.test(char) ? `\\${char}` : char;
  }

  /** Groups that look around or set flags are not for us. */
  #group(): string {
    const rest = this.source.slice(this.#at);
    const opening = /^\?(?::|P?<[A-Za-z_]\w*>)/u.exec(rest)?.[0];
    if (opening === undefined) {
      if (rest.startsWith("?")) throw trouble(this.source, `(${rest.slice(0, 2)} is not known`);
      return "(";
    }
    this.#at += opening.length;
    return `(${opening.replace("P<", "<")}`;
  }

  #class(): string {
    let result = "[";
    if (this.source.charAt(this.#at) === "^") {
      result += "^";
      this.#at++;
    }
    // A bracket that comes first is one of the characters.
    for (let first = true; this.#at < this.source.length; first = false) {
      const char = this.source.charAt(this.#at++);
      if (char === "]" && !first) return `${result}]`;
      result += this.#member(char);
    }
    throw trouble(this.source, "a bracket is not closed");
  }

  #member(char: string): string {
    const next = this.source.charAt(this.#at);
    if (char === "[" || (/[&~-]/u.test(char) && char === next)) {
      throw trouble(this.source, "sets of sets are not known");
    }
    if (char !== "\\") return char === "-" || !SYNTAX.test(char) ? char : `\\${char}`;
    this.#at++;
    return /[dswDSW]/u.test(next) ? this.#shortClass(next) : this.#literal(next);
  }

  /** A short class among the members of a class. */
  #shortClass(name: string): string {
    const known = this.classes[name] ?? "";
    if (known.startsWith("[^")) throw trouble(this.source, `\\${name} in a class is not known`);
    return known.startsWith("[") ? known.slice(1, -1) : known;
  }
}
