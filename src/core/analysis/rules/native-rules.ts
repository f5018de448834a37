import type { NapiConfig, SgNode } from "@ast-grep/napi";
import type { LanguageId } from "../../model/quality.js";
import type { AstGrep } from "../native.js";
import { fillIn, type Hit } from "./hit.js";
import type { RuleBody } from "./rule-file.js";

/** A text as ast-grep's own library has parsed it. */
export class NativeText {
  readonly #root: SgNode;

  constructor(astGrep: AstGrep, language: LanguageId, text: string) {
    this.#root = astGrep.parse(language, text).root();
  }

  /**
   * All matches of a rule.
   * @throws Error in ast-grep's words when the rule is wrong
   */
  find(rule: RuleBody, message: string): Hit[] {
    return this.#root.findAll(configOf(rule)).map((node) => toHit(node, message));
  }
}

/** ast-grep's words on why it refuses a rule for a language, in one line; undefined when it accepts it. */
export function refusal(rule: RuleBody, language: LanguageId, astGrep: AstGrep): string | undefined {
  try {
    new NativeText(astGrep, language, "").find(rule, "");
    return undefined;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return words.replace(/\s*\n\s*(\|->)?/g, " ").trim();
  }
}

/** A rule as ast-grep's native side takes it; that side checks the shape and throws on what it does not know. */
function configOf({ rule, constraints, utils, transform }: RuleBody): NapiConfig {
  const config: unknown = {
    rule,
    ...(constraints !== undefined && { constraints }),
    ...(utils !== undefined && { utils }),
    ...(transform !== undefined && { transform }),
  };
  return config as NapiConfig;
}

function toHit(node: SgNode, message: string): Hit {
  const { start, end } = node.range();
  return {
    start: start.line + 1,
    end: end.line + 1,
    startColumn: start.column + 1,
    endColumn: end.column + 1,
    message: fillIn(message, (name) => node.getMatch(name)?.text() ?? node.getTransformed(name) ?? undefined),
  };
}
