import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** Repository root. */
export const ROOT = path.resolve(import.meta.dirname, "../../..");

/** A folder that goes away with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "slop-lens-packs-"));
  onTestFinished(async () => {
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Writes files below a folder; a value of null removes the file of that name from `files`. */
export async function layFiles(
  folder: string,
  files: Readonly<Record<string, string | null>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    if (content === null) continue;
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
    if (content.startsWith("#!")) await chmod(file, 0o755);
  }
}

export const LEDGER_CONFIG = `name: ledger
version: 2
description: Keeps accounts.
tags: [cli, money]
entry_file: ledger
timeout: 12
env:
  LOCALE: C
checkpoints:
  checkpoint_2:
    version: 1
    order: 2
    state: Core Tests
    timeout: 3.5
    include_prior_tests: false
  checkpoint_1:
    version: 1
    order: 1
    state: Verified
    env:
      MODE: plain
static_assets:
  rates: { path: data/rates.csv, save_path: given/rates.csv }
markers:
  slow: { description: Takes long., group: Functionality }
test_dependencies: [pyyaml]
`;

const CONFTEST = `def pytest_addoption(parser):
    parser.addoption("--entrypoint", required=True)
    parser.addoption("--checkpoint", required=True)
`;

export const LEDGER_FILES: Readonly<Record<string, string>> = {
  "config.yaml": LEDGER_CONFIG,
  "checkpoint_1.md":
    "<!-- canary\nline two -->\n# Ledger\n\nRun `%%%ENTRYPOINT:entry_command%%% add`.\n<!-- kept -->\nend\n",
  "checkpoint_2.md": "# More\n\nThe file is `%%%ENTRYPOINT:entry_file%%%`.\n",
  "data/rates.csv": "EUR,1\n",
  "tests/conftest.py": CONFTEST,
  "tests/test_checkpoint_1.py": "def test_add():\n    pass\n",
  "tests/test_checkpoint_2.py": "def test_more():\n    pass\n",
};

/** A sound pack in a temporary folder, with some of its files replaced or (null) left out. */
export async function ledgerPack(changes: Readonly<Record<string, string | null>> = {}): Promise<string> {
  const folder = path.join(await temporaryFolder(), "ledger");
  await layFiles(folder, { ...LEDGER_FILES, ...changes });
  return folder;
}
