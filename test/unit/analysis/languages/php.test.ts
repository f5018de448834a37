import { expect, it } from "vitest";
import { php } from "../../../../src/core/analysis/languages/php.js";
import { itMeasuresTexts } from "./robust.js";
import { callablesOf, decisionsOf, measureAs } from "./support.js";

itMeasuresTexts(php, {
  callable: ["<?php function f($x) {", "  if ($x > 0) {", "    return 1;", "  }", "  return 0;", "}"],
  comments: [],
  body: ["<?php function f($x) {\n  return ", ";\n}"],
  nested: {
    parentheses: ["(", "$x", ")", 0],
    operators: ["$x && ", "$x", "", 1],
    defaults: ["$x ?? ", "$x", "", 1],
  },
});

it("finds functions, methods and hooks, and closures that are held", async () => {
  const lines = [
    "<?php",
    "function plain(int $x = 1): ?int { return $x; }",
    "$held = function () use ($a) { };",
    "$this->arrow = static fn($x) => $x;",
    '$table = ["key" => function () {}, 3 => fn() => 1];',
    "array_map(function ($x) { return $x; }, $list);",
    "class Shelf {",
    "  #[Pure]",
    "  public function names() { return new class { function inside() {} }; }",
    "  abstract function none();",
    "  public $size { get { return 1; } set => $value; }",
    "}",
    "trait T { function shared() {} }",
    "enum E: string { case A = 'a'; function label() {} }",
    "interface I { function wanted(); }",
  ];
  expect(await callablesOf(php, lines, ({ kind, start }) => [kind, start])).toEqual({
    plain: ["function", 2],
    $held: ["function", 3],
    arrow: ["function", 4],
    key: ["function", 5],
    "Shelf.names": ["method", 9],
    "Shelf.names.inside": ["method", 9],
    "Shelf.$size.get": ["method", 11],
    "Shelf.$size.set": ["method", 11],
    "T.shared": ["method", 13],
    "E.label": ["method", 14],
  });
});

it("counts arms of a match, and operators that choose", async () => {
  expect(
    await decisionsOf(
      php,
      "<?php function f(?A $a) {",
      "  if ($a && $b || $c) {} elseif ($d) {} else if ($e) {} else {}",
      "  for (;;) {}",
      "  foreach ($s as $k => $v) {}",
      "  while ($a): endwhile;",
      "  do {} while ($a);",
      "  switch ($x) { case 1: case 2: break; default: }",
      "  $y = match (true) { 1, 2 => 3, default => 4 };",
      "  try {} catch (A | B $e) {} finally {}",
      "  $a and $b or $c xor $d;",
      "  $s ??= $t ?? $u?->v;",
      "  return $a ?: ($b ? 1 : array_filter($s, fn($v) => $v && $a));",
      "}",
    ),
  ).toEqual([
    ["if", 2],
    ["&&", 2],
    ["||", 2],
    ["elseif", 2],
    ["else if", 2],
    ["for", 3],
    ["foreach", 4],
    ["while", 5],
    ["do while", 6],
    ["case", 7],
    ["case", 7],
    ["match arm", 8],
    ["catch", 9],
    ["and", 10],
    ["or", 10],
    ["??=", 11],
    ["??", 11],
    ["? :", 12],
    ["? :", 12],
    ["&&", 12],
  ]);
});

it("takes text around the code for lines that decide nothing", async () => {
  const { sloc, callables } = await measureAs(
    php,
    "<h1>if for</h1>",
    "<?php # one",
    "// two",
    "/* three */ ?>",
    "",
    "<?php if ($a): ?><b/><?php endif ?>",
  );
  expect(sloc).toEqual([1, 2, 4, 6]);
  expect(callables).toEqual([]);
});

it("reads cognitive complexity as in Python", async () => {
  const lines = [
    "<?php",
    "function chain() { if ($a) {} elseif ($b) {} else if ($c) {} else { if ($d) {} } }",
    "function jumps() { foreach ($s as $v) { if ($a or $b) continue; } switch ($x) { case 1: break; } }",
  ];
  expect(await callablesOf(php, lines, ({ cognitive }) => cognitive)).toEqual({
    // if 1, elseif 2, else if 2, else 2, inner if 3
    chain: 10,
    // foreach 1, if 2, or 1, continue 1
    jumps: 5,
  });
});

it("finds clones whatever the names, literals and comments", async () => {
  const body = (name: string, text: string) => [
    `function ${name}($it) {`,
    `  call($it, ${text});`,
    "  return $it; // done",
    "}",
  ];
  const { cloneCandidates } = await measureAs(
    php,
    "<?php",
    ...body("a", '"one $x"'),
    ...body("b", "'two'"),
    ...body("c", "3"),
  );
  const [one, two, other] = cloneCandidates;
  expect(two?.key).toBe(one?.key);
  expect(other?.key).not.toBe(one?.key);
});
