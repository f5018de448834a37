import { describe, expect, it } from "vitest";
import { javascript } from "../../../../src/core/analysis/languages/javascript.js";
import { tsx, typescript } from "../../../../src/core/analysis/languages/typescript.js";
import { itMeasuresTexts } from "./robust.js";
import { callablesOf, decisionsOf, measureAs } from "./support.js";

describe.each([
  ["TypeScript", typescript],
  ["TSX", tsx],
])("%s", (_, language) => {
  itMeasuresTexts(language, {
    callable: [
      "function f(x: number): number {",
      "  if (x > 0) {",
      "    return 1;",
      "  }",
      "  return 0;",
      "}",
    ],
    comments: ["// one\n/* two\n\n three */\n"],
    body: ["function f(x: any) {\n  return ", "\n}"],
    nested: { parentheses: ["(", "x", ")", 0], operators: ["x || ", "x", "", 1] },
  });

  it("takes no signature for a callable", async () => {
    const lines = [
      "declare function external(): void;",
      "function over(a: string): void;",
      "function over(a: any) { return a; }",
      "interface I { m(): void; n: () => void }",
      "abstract class A<T> {",
      "  abstract m(): void;",
      "  private field = (x: T): T => x;",
      "  @bound()",
      "  @logged",
      "  n?(this: A<T>, x = 1): void {}",
      "}",
      "const cast = ((x: any) => x) as F, checked = function <T>(x: T) {} satisfies G;",
      "namespace N { export function inside() {} }",
    ];
    expect(await callablesOf(language, lines, ({ kind, start }) => [kind, start])).toEqual({
      over: ["function", 3],
      "A.field": ["method", 7],
      "A.n": ["method", 10],
      cast: ["function", 12],
      checked: ["function", 12],
      inside: ["function", 13],
    });
  });

  it("counts what runs, not what types say", async () => {
    expect(
      await decisionsOf(
        language,
        "function f<T>(a?: T | null, b: T extends string ? 1 : 2 = x!): a is Y {",
        "  const c = a ?? (b as unknown as T);",
        "  return c ? true : a?.b;",
        "}",
      ),
    ).toEqual([
      ["??", 2],
      ["? :", 3],
    ]);
  });
});

it("finds a clone of JavaScript and TypeScript in TSX", async () => {
  const lines = ["for (const a of b) {", "  c(a, 'one');", "  d.e(a);", "}"];
  const keys = await Promise.all(
    [javascript, typescript, tsx].map(async (language) =>
      (await measureAs(language, ...lines)).cloneCandidates.map(({ key }) => key),
    ),
  );
  expect(keys[0]).toHaveLength(1);
  expect(keys[1]).toEqual(keys[0]);
  expect(keys[2]).toEqual(keys[0]);
});

it("reads components: tags decide nothing, the expressions in them do", async () => {
  const lines = [
    "export const List = ({ rows }: Props) => (",
    "  <ul>",
    "    {/* none */}",
    "    {rows.map((row) => row.on && <Row key={row.id} {...row} />)}",
    "    {rows.length > 0 ? <b>if for && ?</b> : null}",
    "  </ul>",
    ");",
    "export default memo(function Named() { return <List rows={[]} />; });",
  ];
  expect(await callablesOf(tsx, lines, ({ cc, sloc }) => [cc, sloc])).toEqual({
    List: [3, 5],
    Named: [1, 1],
  });
});
