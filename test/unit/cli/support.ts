import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { Installation } from "../../../src/cli/installation.js";
import type { CliIo } from "../../../src/cli/io.js";
import { runCli } from "../../../src/cli/program.js";
import { productFilesIn } from "../../../src/core/model/files.js";

const ROOT = path.resolve(import.meta.dirname, "../../..");

export const installation = new Installation(productFilesIn(ROOT), path.join(ROOT, ".cache/local"));

export interface Spoken {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export function silentIo(cwd: string): CliIo {
  return {
    out: () => undefined,
    err: () => undefined,
    isTerminal: false,
    columns: 80,
    program: "slop-lens",
    env: {},
    cwd,
    signal: new AbortController().signal,
  };
}

/** Runs the command in this process. */
export async function cli(cwd: string, args: readonly string[], part: Partial<CliIo> = {}): Promise<Spoken> {
  const spoken = { out: "", err: "" };
  const io: CliIo = {
    ...silentIo(cwd),
    out: (text) => {
      spoken.out += text;
    },
    err: (text) => {
      spoken.err += text;
    },
    ...part,
  };
  const code = await runCli(args, io, installation);
  return { code, ...spoken };
}

export async function lay(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  }
}

const CONFTEST = `import shlex

import pytest


def pytest_addoption(parser):
    parser.addoption("--entrypoint", required=True)
    parser.addoption("--checkpoint", required=True)


@pytest.fixture
def argv(request):
    return shlex.split(request.config.getoption("--entrypoint"))
`;

function testFile(order: number): string {
  return `import subprocess


def test_word_${order}(argv):
    said = subprocess.run(argv, capture_output=True, text=True).stdout
    assert "word${order}" in said
`;
}

/** A pack of two checkpoints: print \`word1\`, then also \`word2\`. Its reference solution knows only the first. */
export function wordPack(folder: string): Record<string, string> {
  const files: Record<string, string> = {
    "config.yaml": `name: words
version: 1
description: Prints words.
tags: [test]
entry_file: words
timeout: 20
checkpoints:
  checkpoint_1: { version: 1, order: 1 }
  checkpoint_2: { version: 1, order: 2 }
`,
    "tests/conftest.py": CONFTEST,
  };
  for (const order of [1, 2]) {
    files[`checkpoint_${order}.md`] = `Print word${order} from %%%ENTRYPOINT:entry_file%%%.\n`;
    files[`tests/test_checkpoint_${order}.py`] = testFile(order);
    files[`solutions/checkpoint_${order}/words.py`] = 'print("word1")\n';
  }
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

/** The objects of JSON lines. */
export function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
