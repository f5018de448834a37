import { expect, it } from "vitest";
import { rust } from "../../../../src/core/analysis/languages/rust.js";
import { itMeasuresTexts } from "./robust.js";
import { callablesOf, decisionsOf, measureAs } from "./support.js";

itMeasuresTexts(rust, {
  callable: ["fn f(x: u8) -> u8 {", "    if x > 0 {", "        return 1;", "    }", "    0", "}"],
  comments: ["// one\n/* two\n /* three */\n*/\n/// four\n//! five\n"],
  body: ["fn f() { let z = ", "; }"],
  nested: {
    blocks: ["if x {", "y", "}", 1],
    parentheses: ["(", "x", ")", 0],
    operators: ["x && ", "x", "", 1],
    "macro arguments": ["m!(", "x", ")", 0],
  },
});

it("names functions by their type or trait, and closures by what holds them", async () => {
  const lines = [
    "pub(crate) async fn plain() {}",
    "mod inner { fn test() {} }",
    "impl Plain { fn new() -> Self { Plain } }",
    "impl<T> a::Generic<T> where T: Copy { pub fn get(&self) {} }",
    "impl<'a, T: X<T>> fmt::Display for &'a mut Shown<T> { fn fmt(&self) {} }",
    "impl Iterator for b::Walk<'_> { fn next(&mut self) { fn helper() {} } }",
    "trait Shape { fn area(&self) -> f64; fn name(&self) { } }",
    'extern "C" { fn outside(); }',
    "fn outer() {",
    "    let add = |a, b| a + b;",
    "    let moved = move |x: u8| -> u8 { x };",
    "    self.callback = || 1;",
    "    slot = || 2;",
    "    let s = S { hook: |x| x };",
    "    let boxed = Box::new(|| 1);",
    "}",
    "const F: fn() = || {};",
  ];
  expect(await callablesOf(rust, lines, ({ kind, start }) => [kind, start])).toEqual({
    plain: ["function", 1],
    test: ["function", 2],
    "Plain.new": ["method", 3],
    "Generic.get": ["method", 4],
    "&'a mut Shown<T>.fmt": ["method", 5],
    "Walk.next": ["method", 6],
    "Walk.next.helper": ["function", 6],
    "Shape.name": ["method", 7],
    outer: ["function", 9],
    "outer.add": ["function", 10],
    "outer.moved": ["function", 11],
    "outer.callback": ["function", 12],
    "outer.slot": ["function", 13],
    "outer.hook": ["function", 14],
    F: ["function", 17],
  });
});

it("counts branches, all arms of a match but the last, guards, let else and ?", async () => {
  const decisions = await decisionsOf(
    rust,
    "fn f<T: ?Sized>(x: &&str, g: for<'a> fn(&'a u8)) -> R where for<'b> T: X<'b> {",
    "    let Some(y) = x else { return };",
    '    if let Some(a) = "b" /* */ && c {',
    "    } else if d || e {",
    "    }",
    "    while let Some(h) = i.next() {}",
    "    'outer: for j in 0..3 { continue 'outer }",
    "    loop { break; }",
    "    match k {",
    "        A | B if m => 1,",
    "        C => n?,",
    "        _ => o,",
    "    }",
    "    match p { only => q }",
    "    let closure_without_parameters = run(|| 1);",
    "}",
  );
  expect(decisions).toEqual([
    ["let else", 2],
    ["if", 3],
    ["&&", 3],
    ["else if", 4],
    ["||", 4],
    ["while", 6],
    ["for", 7],
    ["match arm", 10],
    ["match guard", 10],
    ["match arm", 11],
    ["?", 11],
  ]);
});

it("reads the arguments of macros as tokens", async () => {
  const decisions = await decisionsOf(
    rust,
    "fn f() {",
    "    assert!(a && b || if c { 1 } else { 2 } == d);",
    '    assert!(a == "a" // comment',
    "        && f(b) || c[0] && d? && &&e == g);",
    "    let v = vec![e?, f(g)?];",
    "    matches!(h, Some(x) if x > 1);",
    "    run!(|| 1, &&i, || j);",
    "    each! { for k in l { while m {} } }",
    "}",
    "macro_rules! outside { ($x:expr) => { if $x && y {} }; }",
  );
  expect(decisions).toEqual([
    ["&&", 2],
    ["||", 2],
    ["if", 2],
    ["&&", 4],
    ["||", 4],
    ["&&", 4],
    ["?", 4],
    ["&&", 4],
    ["?", 5],
    ["?", 5],
    ["if", 6],
    ["for", 8],
    ["while", 8],
  ]);
});

it("keeps what a named closure decides out of the function around it, and an unnamed one's in", async () => {
  const lines = [
    "fn outer() {",
    "    let inner = |x: u8| {",
    "        if x > 0 && y {}",
    "    };",
    "    run(|| {",
    "        for _ in z {}",
    "    });",
    "}",
  ];
  expect(await callablesOf(rust, lines, ({ cc, sloc, cognitive }) => [cc, sloc, cognitive])).toEqual({
    outer: [2, 4, 1],
    "outer.inner": [3, 2, 2],
  });
});

it("counts the lines that hold more than brackets and comments", async () => {
  const { sloc } = await measureAs(
    rust,
    "#[derive(Debug)]", // 1
    "/// documentation",
    "struct S { /* comment */", // 3
    "    field: u8,", // 4
    "}",
    "",
    'const T: &str = r#"', // 7
    "// text",
    '"#;', // 9
  );
  expect(sloc).toEqual([1, 3, 4, 7, 8, 9]);
});

it("adds the nesting of branches, chains of else flat, to cognitive complexity", async () => {
  const lines = [
    "fn f() {",
    "    if a {", // 1
    "    } else if b {", // 2
    "    } else {", // 2
    "        loop {", // 1 + 2
    "            match c || d {", // 1
    "                _ => break,", // 1
    "            }",
    "        }",
    "    }",
    "}",
  ];
  expect(await callablesOf(rust, lines, ({ cognitive }) => cognitive)).toEqual({ f: 10 });
});

it("finds clones under other names and values, not under other structure", async () => {
  const text = (name: string, value: string, call: string) => [
    `fn ${name}<'${name}>(one: &'${name} mut T) {`,
    `    for ${name} in one.${name} {`,
    `        ${name}.push(${value})${call};`,
    `        done(${name});`,
    "    }",
    "}",
  ];
  const keys = async (...parameters: Parameters<typeof text>) =>
    (await measureAs(rust, ...text(...parameters))).cloneCandidates.map(({ key }) => key);
  const original = await keys("alpha", "1", "?");
  expect(original).toHaveLength(2);
  expect(await keys("beta", "22", "?")).toEqual(original);
  expect(await keys("beta", "22.0", "?")).not.toEqual(original);
  expect(await keys("beta", "22", "")).not.toEqual(original);
});

it("measures no text with syntax errors", async () => {
  await expect(measureAs(rust, "fn f( {")).rejects.toThrow("syntax error");
});
