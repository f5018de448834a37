import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import type { Checkpoint, Problem } from "../../core/model/problem.js";
import type { Turn } from "../../core/model/turn.js";
import { COMMANDS } from "../ids.js";
import { problemNamed } from "../library/state.js";
import type { Feature, Services } from "../services.js";
import { hideTests, openSpecAs } from "../settings.js";
import type { TestTarget } from "../tree/node.js";
import { specSection } from "../tree/spec-section.js";
import { testLine } from "../tree/test-line.js";
import { registerCommands } from "./commands.js";
import { targetOf } from "./targets.js";

/** Go to Test, for who writes them; Go to Spec Section, for who judges by the spec alone. */
export const testCommands: Feature = (services) =>
  registerCommands(services.errors, {
    [COMMANDS.goToTest]: (value) => withTest(value, (target) => goToTest(services, target)),
    [COMMANDS.goToSpecSection]: (value) => withTest(value, (target) => goToSpecSection(services, target)),
  });

async function withTest(value: unknown, work: (target: TestTarget) => Promise<void>): Promise<void> {
  const target = targetOf(value);
  if (target?.kind === "test") await work(target);
}

async function goToTest({ library, turnFiles }: Services, { turn, test }: TestTarget): Promise<void> {
  if (hideTests()) {
    throw new SlopLensError(
      "bad-input",
      vscode.l10n.t("The sources of hidden tests are not shown"),
      vscode.l10n.t("The setting slopLens.hideTests is on."),
    );
  }
  const problem = packOf(library.state, turn);
  const file = path.join(problem.folder, "tests", test.file);
  if (!(await isFile(file))) {
    const message = vscode.l10n.t("{0} has no file tests/{1}", problem.name, test.file);
    throw new SlopLensError("bad-input", message);
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  const known = (await turnFiles.outcome(turn, test))?.line ?? test.line;
  const line = testLine(document.getText(), test.id, known);
  await vscode.window.showTextDocument(document, { preview: true, selection: lineRange(line) });
}

async function goToSpecSection({ library }: Services, { turn, test }: TestTarget): Promise<void> {
  const { specPath } = checkpointOf(packOf(library.state, turn), test.checkpoint);
  const uri = vscode.Uri.file(specPath);
  const section = specSection(await readFile(specPath, "utf8"), test.id);
  if (openSpecAs() === "source") {
    const selection = lineRange(section?.line ?? 1);
    await vscode.window.showTextDocument(uri, { preview: true, selection });
  } else {
    const at = section === undefined ? uri : uri.with({ fragment: section.anchor });
    await vscode.commands.executeCommand("markdown.showPreview", at);
  }
  if (section === undefined) {
    const text = vscode.l10n.t("Slop Lens: no section of the spec speaks of this test");
    vscode.window.setStatusBarMessage(text, 4000);
  }
}

function packOf(state: Services["library"]["state"], { problem: name, folder }: Turn): Problem {
  const problem = problemNamed(state, name, folder);
  if (problem !== undefined) return problem;
  throw new SlopLensError(
    "bad-input",
    vscode.l10n.t("The pack of {0} is not in this window", name),
    vscode.l10n.t("Add the folder that holds it to the workspace."),
  );
}

function checkpointOf(problem: Problem, name: string): Checkpoint {
  const checkpoint = problem.checkpoints.find((candidate) => candidate.name === name);
  if (checkpoint !== undefined) return checkpoint;
  throw new SlopLensError("bad-input", vscode.l10n.t("{0} has no {1}", problem.name, name));
}

async function isFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isFile() === true;
}

/** @param line 1-based */
function lineRange(line: number): vscode.Range {
  const start = new vscode.Position(line - 1, 0);
  return new vscode.Range(start, start);
}
