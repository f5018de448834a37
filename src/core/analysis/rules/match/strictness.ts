import type { Subject } from "./subject.js";

/** What of code and pattern a match passes over. */
export interface Strictness {
  /** Whether comments of the code are passed over. */
  readonly comments: boolean;
  /** Whether tokens of the code that the pattern does not have are. */
  readonly codeTokens: boolean;
  /** Whether tokens of the pattern that the code does not have are. */
  readonly patternTokens: boolean;
  /** Whether named leaves of one type are the same whatever their text. */
  readonly anyText: boolean;
  /** Whether a node of the code may follow behind the end of the pattern. */
  readonly mayTrail: (node: number, subject: Subject) => boolean;
}

const isToken = (node: number, subject: Subject): boolean => !subject.isNamed(node);
const isTokenOrComment = (node: number, subject: Subject): boolean =>
  isToken(node, subject) || subject.isComment(node);

/** By ast-grep's names of them, as release 0.42.1 has them, which scb-check brings; `smart` is the default. */
export const STRICTNESS = {
  cst: {
    comments: false,
    codeTokens: false,
    patternTokens: false,
    anyText: false,
    mayTrail: () => false,
  },
  smart: {
    comments: false,
    codeTokens: true,
    patternTokens: false,
    anyText: false,
    mayTrail: () => true,
  },
  ast: {
    comments: false,
    codeTokens: true,
    patternTokens: true,
    anyText: false,
    mayTrail: isToken,
  },
  relaxed: {
    comments: true,
    codeTokens: true,
    patternTokens: true,
    anyText: false,
    mayTrail: isTokenOrComment,
  },
  signature: {
    comments: true,
    codeTokens: true,
    patternTokens: true,
    anyText: true,
    mayTrail: isTokenOrComment,
  },
} as const satisfies Record<string, Strictness>;
