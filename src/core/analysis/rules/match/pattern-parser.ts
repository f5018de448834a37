import type { Language as TreeSitterLanguage, Parser } from "web-tree-sitter";
import { readPattern, readSelectedPattern, toPatternSource, type Pattern } from "./pattern.js";
import { RuleTrouble } from "./trouble.js";

/** A language as rules name its parts. */
export class PatternParser {
  /** @param expando what stands for `$` where the language knows no such names */
  constructor(
    private readonly parser: Parser,
    private readonly language: TreeSitterLanguage,
    private readonly expando: string,
  ) {}

  /** @throws RuleTrouble when the language has no such node type */
  kind(name: string): number {
    const kind = this.language.idForNodeType(name, true);
    if (kind === null || kind === 0) throw new RuleTrouble(`Kind \`${name}\` is invalid.`);
    return kind;
  }

  /** @throws RuleTrouble when the language has no such field */
  field(name: string): number {
    const field = this.language.fieldIdForName(name);
    if (field === null) throw new RuleTrouble(`Relational rule contains invalid field ${name}.`);
    return field;
  }

  /**
   * @param selector node type of the part of the pattern that is meant
   * @throws RuleTrouble when the text is no pattern
   */
  pattern(source: string, selector: string | undefined): Pattern {
    const tree = this.parser.parse(toPatternSource(source, this.expando));
    if (tree === null) throw new RuleTrouble(`Fails to parse the pattern \`${source}\`.`);
    try {
      return selector === undefined
        ? readPattern(tree, source, this.expando)
        : readSelectedPattern(tree, this.kind(selector), selector, this.expando);
    } finally {
      tree.delete();
    }
  }
}
