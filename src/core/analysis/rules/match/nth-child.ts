import type { Matcher } from "./matcher.js";
import type { Subject } from "./subject.js";
import { RuleTrouble } from "./trouble.js";

/** Which places among siblings: `step · n + offset` for any n of 0 and above, counted from 1. */
interface Places {
  readonly step: number;
  readonly offset: number;
}

export interface NthChild {
  readonly position: string | number;
  /** Only siblings that match are counted. */
  readonly ofRule: Matcher | undefined;
  readonly reverse: boolean;
}

/**
 * A matcher by the place among named siblings, as in CSS.
 * @throws RuleTrouble when the position is neither a number nor of the form `2n+1`
 */
export function nthChild({ position, ofRule, reverse }: NthChild): Matcher {
  const places = readPlaces(position);
  return {
    kinds: ofRule?.kinds,
    variables: ofRule?.variables ?? [],
    test: (node, subject) => {
      const siblings = countedSiblings(node, ofRule, subject);
      const index = siblings.indexOf(node);
      return index >= 0 && isAmong(places, reverse ? siblings.length - index : index + 1);
    },
  };
}

/** What `ofRule` binds to one sibling holds for the next: so ast-grep 0.42 has it. */
function countedSiblings(node: number, ofRule: Matcher | undefined, subject: Subject): number[] {
  const { tree } = subject;
  const parent = tree.parentOf(node);
  if (parent < 0) return [];
  return tree
    .children(parent)
    .filter((child) => subject.isNamed(child) && ofRule?.test(child, subject) !== false);
}

function isAmong({ step, offset }: Places, place: number): boolean {
  if (step === 0) return place === offset;
  const steps = place - offset;
  return steps % step === 0 && steps / step >= 0;
}

const FORMULA = /^(?:(?<step>[+-]?\d*)n(?<more>[+-]\d+)?|(?<number>[+-]?\d+))$/iu;

function readPlaces(position: string | number): Places {
  if (typeof position === "number") return { step: 0, offset: position };
  const parts = FORMULA.exec(position.replace(/\s/gu, ""))?.groups;
  if (parts === undefined) throw new RuleTrouble(`nthChild cannot read the position \`${position}\`.`);
  if (parts["number"] !== undefined) return { step: 0, offset: Number(parts["number"]) };
  const step = /\d/u.test(parts["step"] ?? "") ? Number(parts["step"]) : Number(`${parts["step"] ?? ""}1`);
  return { step, offset: Number(parts["more"] ?? 0) };
}
