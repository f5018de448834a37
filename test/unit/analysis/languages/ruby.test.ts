import { expect, it } from "vitest";
import { ruby } from "../../../../src/core/analysis/languages/ruby.js";
import { itMeasuresTexts } from "./robust.js";
import { callablesOf, decisionsOf, measureAs } from "./support.js";

itMeasuresTexts(ruby, {
  callable: ["def f(x)", "  return 1 if x", "  0", "end"],
  comments: ["# one\n=begin\ntwo\n=end\n"],
  body: ["def f\n z = ", "\nend"],
  nested: {
    blocks: ["if x\n", "y", "\nend", 1],
    parentheses: ["(", "x", ")", 0],
    operators: ["x && ", "x", "", 1],
    "calls with blocks": ["m { ", "x", " }", 0],
  },
});

it("names methods by their classes and modules, and blocks by what they are bound to", async () => {
  const lines = [
    "def top; end",
    "module A::B",
    "  def self.single; end",
    "  class C < D",
    "    def plain?; end",
    "    def []=(k, v); end",
    "    def name=(x); end",
    "    def short(x) = x",
    "    private def hidden; end",
    "    class << self",
    "      def meta; end",
    "    end",
    "    define_method(:defined) { |x| x }",
    '    define_method "worded" do |x| x end',
    "    LAMBDA = lambda { |a| a }",
    "    STABBY = ->(a) { a }",
    "    @held = Proc.new do |z| z end",
    "    held = proc { }",
    "    self.attribute = -> { }",
    "    options = { key: -> { 1 } }",
    "    scope :active, -> { where(a: 1) }",
    "    list.each { |x| x }",
    "  end",
    "end",
  ];
  expect(await callablesOf(ruby, lines, ({ kind, start }) => [kind, start])).toEqual({
    top: ["function", 1],
    "A.B.single": ["method", 3],
    "A.B.C.plain?": ["method", 5],
    "A.B.C.[]=": ["method", 6],
    "A.B.C.name=": ["method", 7],
    "A.B.C.short": ["method", 8],
    "A.B.C.hidden": ["method", 9],
    "A.B.C.meta": ["method", 11],
    "A.B.C.defined": ["method", 13],
    "A.B.C.worded": ["method", 14],
    "A.B.C.LAMBDA": ["method", 15],
    "A.B.C.STABBY": ["method", 16],
    "A.B.C.@held": ["method", 17],
    "A.B.C.held": ["method", 18],
    "A.B.C.attribute": ["method", 19],
    "A.B.C.key": ["method", 20],
  });
});

it("counts branches, modifiers, rescue, patterns, and operators", async () => {
  const decisions = await decisionsOf(
    ruby,
    "def f",
    "  if a then 1 elsif b then 2 else 3 end",
    "  x = c unless d",
    "  unless e; end",
    "  y = g ? 1 : 2",
    "  while h; end",
    "  i += 1 while i < 3",
    "  until j do end",
    "  begin; k; end until l",
    "  for m in n do end",
    "  case o when 1, 2 then 1 when 3 then 2 else 4 end",
    "  case p",
    "  in [q] if r then 1",
    "  in {s:} unless t then 2",
    "  else 3",
    "  end",
    "  begin; u; rescue E; 1; rescue F => err; 2; ensure v; end",
    "  w rescue z",
    "  a && b || (c and d or not e)",
    "  f ||= 1; g &&= 2; h += 3",
    "  a&.b&.c",
    '  "#{a if b}"',
    "  loop { break }",
    "  list.each { |q| q if r }",
    "end",
  );
  expect(decisions).toEqual([
    ["if", 2],
    ["elsif", 2],
    ["unless", 3],
    ["unless", 4],
    ["? :", 5],
    ["while", 6],
    ["while", 7],
    ["until", 8],
    ["until", 9],
    ["for", 10],
    ["when", 11],
    ["when", 11],
    ["in", 13],
    ["in guard", 13],
    ["in", 14],
    ["in guard", 14],
    ["rescue", 17],
    ["rescue", 17],
    ["rescue", 18],
    ["&&", 19],
    ["||", 19],
    ["and", 19],
    ["or", 19],
    ["||=", 20],
    ["&&=", 20],
    ["if", 22],
    ["if", 24],
  ]);
});

it("keeps what a named block decides out of the method around it, and an unnamed one's in", async () => {
  const lines = [
    "def outer",
    "  inner = lambda do |x|",
    "    y if x && z",
    "  end",
    "  list.each do |x|",
    "    y if x",
    "  end",
    "end",
  ];
  expect(await callablesOf(ruby, lines, ({ cc, sloc, cognitive }) => [cc, sloc, cognitive])).toEqual({
    outer: [2, 6, 1],
    "outer.inner": [3, 3, 2],
  });
});

it("counts the lines that hold more than brackets and comments", async () => {
  const { sloc } = await measureAs(
    ruby,
    "#!/usr/bin/env ruby",
    "x = [ # comment", // 2
    "  1,", // 3
    "]",
    "=begin",
    "comment",
    "=end",
    "y = <<~TEXT", // 8
    "  # text",
    "TEXT", // 10
    "if x", // 11
    "end", // 12
  );
  expect(sloc).toEqual([2, 3, 8, 9, 10, 11, 12]);
});

it("takes nothing behind __END__ for code", async () => {
  const { sloc, callables } = await measureAs(ruby, "x = 1", "__END__", "def f", "  y", "end");
  expect(sloc).toEqual([1]);
  expect(callables).toEqual([]);
});

it("adds the nesting of branches, chains of elsif flat, to cognitive complexity", async () => {
  const lines = [
    "def f",
    "  if a", // 1
    "    1",
    "  elsif b", // 2
    "    2",
    "  elsif c", // 2
    "    3",
    "  else", // 2
    "    while d || e", // 1 + 2, 1
    "      next if g", // 1 + 3, 1
    "    end",
    "  end",
    "end",
  ];
  expect(await callablesOf(ruby, lines, ({ cognitive }) => cognitive)).toEqual({ f: 16 });
});

it("finds clones under other names and values, not under other structure", async () => {
  const text = (name: string, value: string, modifier: string) => [
    `def ${name}(list)`,
    `  list.each do |${name}|`,
    `    @${name} << ${value} ${modifier} ${name}`,
    "  end",
    "end",
  ];
  const keys = async (...parameters: Parameters<typeof text>) =>
    (await measureAs(ruby, ...text(...parameters))).cloneCandidates.map(({ key }) => key);
  const original = await keys("alpha", '"one"', "if");
  expect(original).toHaveLength(2);
  expect(await keys("beta", '"a #{list} b"', "if")).toEqual(original);
  expect(await keys("beta", ":two", "if")).not.toEqual(original);
  expect(await keys("beta", '"two"', "unless")).not.toEqual(original);
});

it("measures no text with syntax errors", async () => {
  await expect(measureAs(ruby, "def f(", "  if", "end")).rejects.toThrow("syntax error");
});
