/**
 * Edits a Python file as a person does and measures how soon the marks follow.
 *
 *   node bench/editing.mjs [--lines 3000] [--edits 500] [--long 5000] [--seed 1] [FILE.py]
 *
 * Without a file the text is made up. Times run from the edit to its reading in the caller's thread, with the analysis
 * in its worker. Edits that leave a syntax error have no marks; the time until that is known stands apart. On a machine
 * that does other work, too, the processor time tells more than the clock, and of a block what the thread
 * ran itself.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { made } from "./made.mjs";
import { ThreadBlocks } from "./thread-blocks.mjs";

const repository = path.resolve(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    lines: { type: "string", default: "3000" },
    edits: { type: "string", default: "500" },
    long: { type: "string", default: "5000" },
    seed: { type: "string", default: "1" },
  },
});
const { Random, pythonText } = await made("test/unit/analysis/document/editing.ts");
const { createAnalyzer } = createRequire(import.meta.url)(path.join(repository, "dist/measuring.js"));
const { productFilesIn } = await made("src/core/model/files.ts");
const options = { profile: "scb-0.1.3", rules: { folders: undefined, added: [], off: [] } };
/** No longer than this may an editor's own thread be blocked, in milliseconds. */
const MOST_BLOCKED = 5;
const random = new Random(Number(values.seed));
const original =
  positionals[0] === undefined
    ? pythonText(random, Number(values.lines))
    : await readFile(positionals[0], "utf8");

const analyzer = createAnalyzer(productFilesIn(repository));
const document = openDocument(original);
await document.settled();
console.log(`${original.split("\n").length} lines, ${original.length} characters`);

const times = noTimes();
const blocks = new ThreadBlocks();
blocks.start();
for (let edit = 0; edit < Number(values.edits); edit++) await oneEdit(times);
blocks.stop();
const { ran, clock } = blocks.lists();
console.table({
  "complexity and clones": summary(times.measured),
  "rules (of the same edit)": summary(times.rules),
  "known to be broken": summary(times.broken),
  "processor time for all of it": summary(times.cpu),
  "caller: the edit call itself": summary(times.call),
});
console.table({
  "caller's thread blocked: what it ran": blockSummary(ran),
  "the same by the clock": blockSummary(clock),
});

const memory = [];
for (let edit = 0; edit < Number(values.long); edit++) {
  if (edit % Math.ceil(Number(values.long) / 10) === 0) memory.push(sample(edit));
  await oneEdit(noTimes());
}
if (Number(values.long) > 0) {
  memory.push(sample(Number(values.long)));
  console.table(memory);
}
await document.settled();
document.close();
await analyzer[Symbol.asyncDispose]();

/** Edits, waits for what comes of it, and takes the times. */
async function oneEdit({ measured, rules, broken, call, cpu }) {
  const change = blocks.apart(nextChange);
  const before = process.cpuUsage();
  const begin = performance.now();
  document.edit(change);
  call.push(performance.now() - begin);
  const first = await document.next();
  if (first.report === undefined) {
    broken.push(first.at - begin);
    return;
  }
  measured.push(first.at - begin);
  if (first.rules !== "whole") rules.push((await document.next()).at - begin);
  const { user, system } = process.cpuUsage(before);
  cpu.push((user + system) / 1000);
}

function noTimes() {
  return { measured: [], rules: [], broken: [], call: [], cpu: [] };
}

/** What is still to be typed: one character an edit. */
function nextChange() {
  if (document.typing.length > 0) {
    const [char, ...rest] = document.typing;
    document.typing = rest;
    return { offset: document.cursor++, length: 0, text: char };
  }
  if (document.isBroken || random.below(12) === 0) return undo();
  const lines = document.text.split("\n");
  const index = random.below(lines.length - 1);
  const start = lines.slice(0, index).reduce((sum, line) => sum + line.length + 1, 0);
  const kind = random.below(6);
  document.good = document.text;
  if (kind < 3) {
    const indent = /^\s*/.exec(lines[index])[0];
    document.cursor = start;
    document.typing = [
      ...`${indent}result_${random.below(99)} = compute(items, ${random.below(9)}) or fallback\n`,
    ];
    return nextChange();
  }
  if (kind < 4) return { offset: start, length: lines[index].length + 1, text: "" };
  const from = random.below(lines.length - 1);
  if (kind < 5) return { offset: start, length: 0, text: `${lines.slice(from, from + 15).join("\n")}\n` };
  return { offset: start + lines[index].length, length: 0, text: "  # a note" };
}

/** Back to the last text that was whole, by the one span that differs. */
function undo() {
  const { text, good } = document;
  let start = 0;
  while (start < Math.min(text.length, good.length) && text[start] === good[start]) start++;
  let same = 0;
  const most = Math.min(text.length, good.length) - start;
  while (same < most && text.at(-1 - same) === good.at(-1 - same)) same++;
  return { offset: start, length: text.length - same - start, text: good.slice(start, good.length - same) };
}

function openDocument(text) {
  const waiting = [];
  const readings = [];
  const state = { text, good: text, typing: [], cursor: 0, version: 1, isBroken: false, last: undefined };
  const tell = (reading) => {
    state.last = reading;
    // What comes when the file is at rest is nobody's edit.
    if (reading.rules !== "whole" || reading.version === state.version) readings.push(reading);
    waiting.shift()?.();
  };
  const session = analyzer.openDocument(
    {
      path: "/bench/file.py",
      languageId: "python",
      read: () => ({ version: state.version, text: state.text }),
    },
    options,
    {
      onReading: (reading) => tell({ ...reading, at: performance.now() }),
      onFailure: (error) => {
        throw error;
      },
    },
  );
  return Object.assign(state, {
    edit(change) {
      readings.length = 0;
      state.text =
        state.text.slice(0, change.offset) + change.text + state.text.slice(change.offset + change.length);
      session.edit(++state.version, [change]);
    },
    async next() {
      while (readings.length === 0) await new Promise((resolve) => waiting.push(resolve));
      const reading = readings.shift();
      state.isBroken = reading.report === undefined;
      return reading;
    },
    async settled() {
      while (state.last === undefined || state.last.rules === "earlier") {
        await new Promise((resolve) => waiting.push(resolve));
        if (state.last.report === undefined) return;
      }
    },
    close: () => session.close(),
  });
}

function sample(edits) {
  const { rss, external, heapUsed } = process.memoryUsage();
  const mb = (bytes) => Number((bytes / 1e6).toFixed(1));
  return { edits, "rss MB": mb(rss), "external MB": mb(external), "heap MB": mb(heapUsed) };
}

function blockSummary(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const of = (part) => Number((sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(2));
  const over = sorted.filter((block) => block > MOST_BLOCKED).length;
  return { looks: sorted.length, "p99 ms": of(0.99), "most ms": of(1), [`over ${MOST_BLOCKED} ms`]: over };
}

function summary(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const of = (part) =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(2));
  return { edits: sorted.length, "p50 ms": of(0.5), "p95 ms": of(0.95), "most ms": of(1) };
}
