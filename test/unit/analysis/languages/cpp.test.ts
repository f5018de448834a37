import { expect, it } from "vitest";
import { cpp } from "../../../../src/core/analysis/languages/cpp.js";
import { itMeasuresTexts } from "./robust.js";
import { callablesOf, decisionsOf, measureAs } from "./support.js";

itMeasuresTexts(cpp, {
  callable: ["int f(int x)", "{", "    if (x > 0)", "        return 1;", "    return 0;", "}"],
  comments: ["// one\n/* two\n\n three */\n"],
  body: ["int f() { z = ", "; }"],
  nested: {
    parentheses: ["(", "x", ")", 0],
    operators: ["x && ", "x", "", 1],
    lambdas: ["[] { return ", "x", "; }()", 0],
  },
});

it("names members by their class or scope, operators, casts, and lambdas by what holds them", async () => {
  const lines = [
    "class Plain final : public Base {",
    " public:",
    "  explicit Plain(int x) : x_(x) {}",
    "  ~Plain() {}",
    "  bool operator==(const Plain& other) const noexcept { return true; }",
    "  operator bool() const { return true; }",
    "  std::string text() { return {}; }",
    "  Plain(const Plain&) = delete;",
    "  void declared();",
    "  std::function<int()> field = [] { return 1; };",
    "  struct Inner { void deep() {} };",
    "};",
    "namespace a::b {",
    "int Plain::outside(int x) { return x; }",
    "template <typename T> std::vector<T> x::Generic<T>::get() { return {}; }",
    "Plain::Inner::Inner() = default;",
    "Plain::operator int() const { return 1; }",
    "template <> void special<int>() {}",
    "auto trailing() -> int { return 1; }",
    "int&& reference(int&& x) { return x; }",
    "auto lambda = [](auto x) { return x; };",
    "void outer() {",
    "  auto inner = [&] {};",
    "  object.member = [] {};",
    "  run([] {});",
    "}",
    "}",
    "struct [[nodiscard]] Attributed { void f() try {} catch (...) {} };",
    "TEST_F(Suite, Name) {}",
    "HTTP::HTTP(int x) {}",
    "union U { int get() { return 1; } };",
  ];
  expect(await callablesOf(cpp, lines, ({ kind, start }) => [kind, start])).toEqual({
    "Plain.Plain": ["method", 3],
    "Plain.~Plain": ["method", 4],
    "Plain.operator==": ["method", 5],
    "Plain.operator bool": ["method", 6],
    "Plain.text": ["method", 7],
    "Plain.field": ["method", 10],
    "Plain.Inner.deep": ["method", 11],
    "Plain.outside": ["method", 14],
    "x.Generic.get": ["method", 15],
    "Plain.operator int": ["method", 17],
    special: ["function", 18],
    trailing: ["function", 19],
    reference: ["function", 20],
    lambda: ["function", 21],
    outer: ["function", 22],
    "outer.inner": ["function", 23],
    "outer.member": ["function", 24],
    "Attributed.f": ["method", 28],
    "TEST_F(Suite, Name)": ["function", 29],
    "HTTP.HTTP": ["method", 30],
    "U.get": ["method", 31],
  });
});

it("counts branches and operators on values, not on types", async () => {
  const decisions = await decisionsOf(
    cpp,
    "template <class T> requires A<T> && B<T>",
    "void f(T&& x, std::enable_if_t<true>* = nullptr) {",
    "  if constexpr (a and b or c) {}",
    "  if (auto y = g(); y && h) {}",
    "  for (auto&& v : w) {}",
    "  auto&& z = i;",
    "  (args && ...); static_assert(a && b); std::enable_if_t<(a || b) && c> d;",
    "  try { j(); } catch (const E& e) {} catch (...) {}",
    "  switch (k) { case 1: break; default: break; }",
    "  run([](T&& l) { while (l || m) {} });",
    "  n = o ? 1 : 2;",
    "#if defined(P) && Q",
    "#endif",
    "}",
  );
  expect(decisions).toEqual([
    ["if", 3],
    ["&&", 3],
    ["||", 3],
    ["if", 4],
    ["&&", 4],
    ["for", 5],
    ["catch", 8],
    ["catch", 8],
    ["case", 9],
    ["while", 10],
    ["||", 10],
    ["? :", 11],
  ]);
});

it("keeps what a named lambda or a local class decides out of the function around it", async () => {
  const lines = [
    "void outer(T&& t) {",
    "  auto inner = [](T&& x) {",
    "    if (x && y) {}",
    "  };",
    "  struct Local {",
    "    void m() { if (x) {} }",
    "  };",
    "  run([&] {",
    "    for (;;) {}",
    "  });",
    "}",
  ];
  expect(await callablesOf(cpp, lines, ({ cc, sloc, cognitive }) => [cc, sloc, cognitive])).toEqual({
    outer: [2, 5, 1],
    "outer.inner": [3, 2, 2],
    "outer.Local.m": [2, 1, 1],
  });
});

it("adds the nesting of branches, chains of else flat, to cognitive complexity", async () => {
  const lines = [
    "void f() {",
    "  try {",
    "    if (a) {", // 1
    "    } else if (b) {", // 2
    "    } else {", // 2
    "      for (auto x : y) continue;", // 1 + 2, 1
    "    }",
    "  } catch (...) {", // 1
    "    if (c and d) {}", // 1 + 1, 1
    "  }",
    "}",
  ];
  expect(await callablesOf(cpp, lines, ({ cognitive }) => cognitive)).toEqual({ f: 13 });
});

it("finds clones under other names and values, not under other structure", async () => {
  const text = (name: string, value: string, member: string) => [
    `void ${name}::run(std::vector<${name}>& list) {`,
    `  for (auto& ${name} : list) {`,
    `    ${name}${member}push(${value});`,
    `    use(${name});`,
    "  }",
    "}",
  ];
  const keys = async (...parameters: Parameters<typeof text>) =>
    (await measureAs(cpp, ...text(...parameters))).cloneCandidates.map(({ key }) => key);
  const original = await keys("alpha", '"a"', ".");
  expect(original).toHaveLength(2);
  expect(await keys("beta", 'R"(b)"', ".")).toEqual(original);
  expect(await keys("beta", "1", ".")).not.toEqual(original);
  expect(await keys("beta", '"b"', "->")).not.toEqual(original);
});

it("measures what it can parse around macros that no grammar knows", async () => {
  const { callables } = await measureAs(
    cpp,
    "int before(int a) { return a ? 1 : 2; }",
    "class LIBRARY_EXPORT Status : public Base {",
    " public:",
    "  int value() const { return value_; }",
    "  bool ok() const LOCKS_EXCLUDED(mutex_) { return a && b; }",
    "};",
    "int after(int a) {",
    "  if (a) return 1;",
    "  return 0;",
    "}",
  );
  expect(callables).toMatchObject([
    { qualifiedName: "before", cc: 2 },
    { qualifiedName: "Status.value", cc: 1 },
    { qualifiedName: "Status.ok", cc: 2 },
    { qualifiedName: "after", cc: 2 },
  ]);
});
