/**
 * Writes files that are hard to measure: every snippet of the unit tests in many disguises, very large ones, very deep
 * ones, and what is no Python at all.
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

const repository = path.resolve(import.meta.dirname, "../..");
const snippets = path.join(repository, "test/unit/analysis/snippets");
const folder = path.join(repository, ".cache/hostile");
const LEVELS = 5000;

/** Disguises of a file's text, given and taken as bytes in Latin 1. */
const DISGUISES = {
  plain: (text) => text,
  crlf: (text) => text.replace(/\r?\n/gu, "\r\n"),
  "carriage-returns": (text) => text.replace(/\r?\n/gu, "\r"),
  "byte-order-mark": (text) => `\u00ef\u00bb\u00bf${text}`,
  "form-feeds": (text) => text.replace(/\n\n/gu, "\n\f\n"),
  "form-feed-indents": (text) => text.replace(/\n(?=def )/gu, "\n\f"),
  "vertical-tabs": (text) => text.replace(/"/gu, '"\v'),
  "line-separators": (text) => text.replace(/# /gu, "# \u00e2\u0080\u00a8"),
  tabs: (text) => text.replace(/ {4}/gu, "\t"),
  "not-utf-8": (text) => `# caf\u00e9\n${text.replace(/"/gu, '"\u00ff\u00fe')}`,
  accents: (text) => text.replace(/"/gu, '"\u00c3\u00a9\u00f0\u009f\u008e\u0089'),
  "no-last-newline": (text) => text.trimEnd(),
  "last-blanks": (text) => `${text}   \n\t\n    # end`,
  backslashes: (text) => text.replace(/ (and|or|if|in) /gu, " \\\n  $1 "),
  "cut-off": (text) => text.slice(0, Math.floor(text.length * 0.7)),
  "nul-bytes": (text) => text.replace(/#/gu, "#\0"),
  "two-copies": (text) => `${text}\n\n${text}`,
  indented: (text) => `if True:\n${text.replace(/^(?=.)/gmu, "    ")}`,
};

/** @returns folders, each a tree of its own */
export async function writeHostile() {
  await rm(folder, { recursive: true, force: true });
  const names = (await readdir(snippets)).filter((name) => name.endsWith(".py"));
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(path.join(snippets, name), "latin1")]),
  );
  for (const [disguise, put] of Object.entries(DISGUISES)) {
    await writeTree(
      disguise,
      texts.map(([name, text]) => [name, put(text)]),
    );
  }
  await writeTree("large", large(Object.fromEntries(texts)));
  await writeTree("deep", deep());
  await writeTree("odd", odd());
  await cp(path.join(snippets, "same-names"), path.join(folder, "same-names"), { recursive: true });
  return (await readdir(folder)).sort().map((name) => path.join(folder, name));
}

async function writeTree(tree, files) {
  await mkdir(path.join(folder, tree), { recursive: true });
  for (const [name, text] of files) await writeFile(path.join(folder, tree, name), text, "latin1");
}

/** More than 1 MB each: many functions, one function, one expression, one literal, one line. */
function large(texts) {
  const copies = (text, bytes) => text.repeat(Math.ceil(bytes / text.length));
  return [
    ["functions.py", copies(`${texts["decisions.py"]}\n${texts["clones.py"]}\n`, 1 << 20)],
    [
      "statements.py",
      `def f(a, b):\n${copies("    if a and b:\n        a = [b for b in a if b]\n", 1 << 20)}`,
    ],
    ["list.py", `x = [\n${copies("    (1, 'two', 3.0, None, True),\n", 1 << 20)}]\n`],
    ["literal.py", `x = """\n${copies("nothing but text\n", 1 << 20)}"""\n`],
    [
      "docstring.py",
      `def f():\n    """\n${copies("    nothing but text\n", 1 << 20)}    """\n    return 1\n`,
    ],
    ["line.py", `x = [${copies("1, ", 1 << 20)}]\n`],
    ["comments.py", copies("# nothing but comments\n", 1 << 20)],
    ["blank.py", "\n".repeat(1 << 20)],
  ];
}

function deep() {
  const nest = (open, inner, close) =>
    `def f(x):\n    return ${open.repeat(LEVELS)}${inner}${close.repeat(LEVELS)}\n`;
  const blocks = (head, levels) =>
    Array.from({ length: levels }, (_, level) => `${" ".repeat(level)}${head}\n`).join("");
  return [
    ["parentheses.py", nest("(", "x", ")")],
    ["lists.py", nest("[", "x", "]")],
    ["calls.py", nest("x(", "x", ")")],
    ["attributes.py", nest("", "x", ".x")],
    ["operators.py", nest("", "x", " + x")],
    ["booleans.py", nest("", "x", " or x")],
    ["ternaries.py", nest("x if x else ", "x", "")],
    ["comprehensions.py", nest("[", "x", " for x in x]")],
    ["lambdas.py", nest("lambda: ", "x", "")],
    ["elifs.py", `def f(x):\n    if x: pass\n${"    elif x: pass\n".repeat(LEVELS)}`],
    ["blocks.py", `${blocks("if x:", 90)}${" ".repeat(90)}y = 1\n`],
    ["functions.py", `${blocks("def f(x):", 90)}${" ".repeat(90)}return x\n`],
    ["classes.py", `${blocks("class A:", 90)}${" ".repeat(90)}x = 1\n`],
    ["deepest-blocks.py", `${blocks("if x:", LEVELS)}${" ".repeat(LEVELS)}y = 1\n`],
    ["deepest-functions.py", `${blocks("def f(x):", LEVELS)}${" ".repeat(LEVELS)}return x\n`],
  ];
}

function odd() {
  return [
    ["empty.py", ""],
    ["blank.py", "\n  \n\t\n"],
    ["comment.py", "# nothing"],
    ["backslash.py", "x = 1\\\n"],
    ["colon.py", "def f():\n"],
    ["unclosed.py", "x = (1,\ny = 2\n"],
    ["unclosed-text.py", 'x = """never\nends\n'],
    ["mixed-indent.py", "if x:\n\ty = 1\n        z = 2\n"],
    ["dedent.py", "if x:\n        y = 1\n    z = 2\n"],
    ["html.py", "<html><body>no</body></html>\n"],
    ["binary.py", String.fromCharCode(...Array.from({ length: 1024 }, (_, at) => (at * 37) % 256))],
    ["utf-16.py", "\u00ff\u00fed\0e\0f\0"],
    ["encoding.py", "# -*- coding: latin-1 -*-\ndef caf\u00e9(x):\n    return x\n"],
    ["python-2.py", "print 'x'\nexec 'y'\nraise E, 'z'\n"],
    ["unicode-names.py", "def caf\u00c3\u00a9(\u00cf\u0080): return \u00cf\u0080\n"],
    ["semicolons.py", "def f(x): x = 1; return x; ; \nif f: a; b; c\n"],
    ["no-space.py", "def f(x):return 1if x else 2\nfor x in(1,2):pass\n"],
  ];
}
