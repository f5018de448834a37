import { symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Analyzer } from "../../../../src/core/analysis/analysis.js";
import { createAnalyzer } from "../../../../src/core/analysis/analyzer.js";
import { applyChanges, type TextChange } from "../../../../src/core/analysis/document/change.js";
import type { DocumentReading, DocumentSession } from "../../../../src/core/analysis/document/reading.js";
import { SlopLensError } from "../../../../src/core/model/errors.js";
import { folderOf, inlineAnalyzer, options, productFiles } from "../support.js";

const outdir = join(import.meta.dirname, "../../../../.cache/test-session");
const workerFile = join(outdir, "faulty-worker.js");

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, "../faulty-worker.ts")],
    outdir,
    bundle: true,
    platform: "node",
    format: "cjs",
    alias: { "web-tree-sitter": createRequire(import.meta.url).resolve("web-tree-sitter") },
  });
});

const LOOP = "for a in b:\n    c(a)\n    d(a)\n";

/** An editor's document, and what it was told. */
class Followed {
  version = 1;
  reads = 0;
  readonly readings: DocumentReading[] = [];
  readonly failures: unknown[] = [];
  readonly session: DocumentSession;
  #told: () => void = () => undefined;

  constructor(
    analyzer: Analyzer,
    public text: string,
    path = "/w/a.py",
  ) {
    const told = () => {
      this.#told();
    };
    this.session = analyzer.openDocument(
      {
        path,
        languageId: "python",
        read: () => {
          this.reads++;
          return { version: this.version, text: this.text };
        },
      },
      options,
      {
        onReading: (reading) => {
          this.readings.push(reading);
          told();
        },
        onFailure: (error) => {
          this.failures.push(error);
          told();
        },
      },
    );
    onTestFinished(() => {
      this.session.close();
    });
  }

  edit(...changes: TextChange[]): void {
    this.text = applyChanges(this.text, changes);
    this.session.edit(++this.version, changes);
  }

  append(text: string): void {
    this.edit({ offset: this.text.length, length: 0, text });
  }

  /** Waits until what is known meets `test`. */
  async until(test: () => boolean): Promise<void> {
    while (!test()) {
      await new Promise<void>((resolve) => {
        this.#told = resolve;
      });
    }
  }

  /** The last reading, once it is of the present version. */
  async current(): Promise<DocumentReading> {
    await this.until(() => this.readings.at(-1)?.version === this.version);
    const last = this.readings.at(-1);
    if (last === undefined) throw new Error("no reading");
    return last;
  }
}

describe("a session", () => {
  it("tells of every version that is not overtaken, in their order, and of the last always", async () => {
    const document = new Followed(inlineAnalyzer(), "x = 1\n");
    for (let n = 0; n < 20; n++) document.append(`y${n} = ${n}\n`);
    const { report } = await document.current();
    expect(report?.totals.totalLoc).toBe(21);
    const versions = document.readings.map(({ version }) => version);
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(versions.length).toBeLessThan(20);
  });

  it("takes no version twice, and none that is older", async () => {
    const document = new Followed(inlineAnalyzer(), "x = 1\n");
    document.append("y = 2\n");
    document.session.edit(document.version, [{ offset: 0, length: 0, text: "z = 3\n" }]);
    document.session.edit(1, [{ offset: 0, length: 6, text: "" }]);
    expect((await document.current()).report?.totals.totalLoc).toBe(2);
  });

  it("tells nothing after it was closed", async () => {
    const document = new Followed(inlineAnalyzer(), "x = 1\n");
    await document.current();
    document.append("y = 2\n");
    document.session.close();
    const other = new Followed(inlineAnalyzer(), "x = 1\n");
    await other.current();
    expect(document.readings.every(({ version }) => version === 1)).toBe(true);
  });

  it("keeps quiet about a syntax error but for its version, and goes on behind it", async () => {
    const document = new Followed(inlineAnalyzer(), "x = 1\n");
    await document.current();
    document.append("def f(");
    expect(await document.current()).toMatchObject({ version: 2, report: undefined });
    document.append("):\n    return 1\n");
    expect((await document.current()).report?.functions.map(({ name }) => name)).toEqual(["f"]);
  });

  it("hears of clones that came in another document", async () => {
    const analyzer = inlineAnalyzer();
    const folder = await folderOf({ "a.py": "x = 1\n", "b.py": LOOP });
    await analyzer.analyzePaths([folder], options, new AbortController().signal);
    const a = new Followed(analyzer, "x = 1\n", join(folder, "a.py"));
    const b = new Followed(analyzer, LOOP, join(folder, "b.py"));
    expect((await b.current()).report?.clones).toEqual([]);
    await a.current();
    a.append(LOOP);
    expect((await a.current()).report?.clones.map(({ instances }) => instances.length)).toEqual([2]);
    b.session.refresh();
    await b.until(() => b.readings.at(-1)?.report?.clones.length === 1);
    a.edit({ offset: 6, length: LOOP.length, text: "" });
    expect((await a.current()).report?.clones).toEqual([]);
    b.session.refresh();
    await b.until(() => b.readings.at(-1)?.report?.clones.length === 0);
    expect(b.version).toBe(1);
  });

  it("knows the clones around it where the host calls the folder by another name than the disk does", async () => {
    const analyzer = inlineAnalyzer();
    const folder = await folderOf({ "code/a.py": "x = 1\n", "code/lib/b.py": LOOP });
    const linked = join(folder, "linked #1 100%");
    await symlink(join(folder, "code"), linked);
    await analyzer.analyzePaths([linked], options, new AbortController().signal);
    const a = new Followed(analyzer, LOOP, join(linked, "a.py"));
    const [clone] = (await a.current()).report?.clones ?? [];
    expect(clone?.instances.map(({ path }) => path)).toEqual([
      join(linked, "a.py"),
      join(linked, "lib", "b.py"),
    ]);
  });
});

describe("a session whose thread is lost", () => {
  function resident(secondsPerEdit = 20): Analyzer {
    const analyzer = createAnalyzer(productFiles, { workerFile, secondsPerEdit });
    onTestFinished(() => analyzer[Symbol.asyncDispose]());
    return analyzer;
  }

  it("opens its document anew, with all edits since", async () => {
    const analyzer = resident();
    const [first, second] = [new Followed(analyzer, "x = 1\n"), new Followed(analyzer, "y = 1\n", "/w/b.py")];
    await Promise.all([first.current(), second.current()]);
    first.append("# exits\nz = 2\n");
    expect((await first.current()).report?.totals.totalLoc).toBe(2);
    second.append("z = 2\nz = 3\n");
    expect((await second.current()).report?.totals.totalLoc).toBe(3);
    expect([first.reads, second.reads]).toEqual([2, 2]);
    expect([...first.failures, ...second.failures]).toEqual([]);
  });

  it("gives up when the text costs one thread after the other, and tries again with the next edit", async () => {
    const document = new Followed(resident(), "# always exits\n");
    await document.until(() => document.failures.length > 0);
    expect(SlopLensError.is(document.failures[0], "internal")).toBe(true);
    expect(document.reads).toBe(3);
    document.edit({ offset: 0, length: document.text.length, text: "x = 1\n" });
    expect((await document.current()).report?.totals.totalLoc).toBe(1);
  });

  it("gives a text up on which the analysis hangs", async () => {
    const document = new Followed(resident(0.2), "# always hangs\n");
    await document.until(() => document.failures.length > 0);
    expect(String(document.failures[0])).toContain("an edit took longer than 0.2 s");
  });

  it("starts no thread once the analyzer is disposed", async () => {
    const analyzer = resident();
    const document = new Followed(analyzer, "x = 1\n");
    await document.current();
    document.append("y = 2\n");
    await analyzer[Symbol.asyncDispose]();
    document.append("z = 3\n");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(document.failures).toEqual([]);
    expect(document.readings.every(({ version }) => version < 3)).toBe(true);
  });
});
