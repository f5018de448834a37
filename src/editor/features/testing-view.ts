import path from "node:path";
import * as vscode from "vscode";
import type { TestOutcome } from "../../core/model/outcome.js";
import { GROUPS, type Group } from "../../core/model/problem.js";
import type { Turn } from "../../core/model/turn.js";
import { runLabel } from "../../core/report/run-label.js";
import { SETTINGS } from "../ids.js";
import { problemNamed, type RunPart } from "../library/state.js";
import { Debounce } from "../marks/debounce.js";
import type { Feature, Services } from "../services.js";
import { hideTests, testingView as isWanted } from "../settings.js";
import { shortMessage } from "../tree/failure-words.js";
import { byGroup, newestRuns, testItemId, turnsWithOutcomes } from "../tree/test-results.js";
import { checkpointLabel, fromWords, statusWords, testLabel, turnWords } from "../words.js";

const CONTROLLER = "slopLens.hiddenTests";

/** The outcomes of each problem's newest run in VS Code's Testing view, if the user wants them there. */
export const testingView: Feature = (services) => {
  let view: TestingView | undefined;
  const follow = (): void => {
    view?.dispose();
    view = isWanted() ? new TestingView(services) : undefined;
  };
  follow();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => {
      const ours = [SETTINGS.testingView, SETTINGS.hideTests];
      if (ours.some((key) => event.affectsConfiguration(key))) follow();
    }),
    { dispose: () => view?.dispose() },
  );
};

/**
 * Publishes results and runs nothing: problem, checkpoint, group, test. Tests are made, and their results published,
 * when a checkpoint is unfolded.
 */
class TestingView implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController(
    CONTROLLER,
    vscode.l10n.t("Slop Lens: Hidden Tests"),
  );
  private readonly tags = new Map<Group, vscode.TestTag>(
    GROUPS.map((group) => [group, new vscode.TestTag(group)]),
  );
  private readonly turns = new WeakMap<vscode.TestItem, { readonly entry: RunPart; readonly turn: Turn }>();
  private shown = new Map<string, RunPart>();
  private readonly soon = new Debounce(() => {
    this.fill();
  });
  private readonly stop: () => void;

  constructor(private readonly services: Services) {
    this.controller.resolveHandler = async (item) => {
      if (item === undefined) this.fill();
      else await services.errors.guard("Testing view", () => this.resolve(item));
    };
    this.stop = services.library.onDidChange(() => {
      this.soon.ask();
    });
    this.fill();
  }

  dispose(): void {
    this.soon.cancel();
    this.stop();
    this.controller.dispose();
  }

  /** Problems whose newest run is still the same keep their items and results. */
  private fill(): void {
    const newest = newestRuns(this.services.library.state);
    for (const name of this.shown.keys()) if (!newest.has(name)) this.controller.items.delete(name);
    for (const [name, entry] of newest) {
      if (this.shown.get(name)?.part !== entry.part) this.controller.items.add(this.problemItem(name, entry));
    }
    this.shown = new Map(newest);
  }

  private problemItem(name: string, entry: RunPart): vscode.TestItem {
    const item = this.controller.createTestItem(name, name);
    item.description = runLabel(entry.run);
    for (const turn of turnsWithOutcomes(entry)) {
      const child = this.controller.createTestItem(turn.checkpoint, checkpointLabel(turn.checkpoint));
      child.canResolveChildren = true;
      child.sortText = String(turn.order).padStart(4, "0");
      this.turns.set(child, { entry, turn });
      item.children.add(child);
    }
    return item;
  }

  /** Makes a checkpoint's tests and publishes its results as one run. */
  private async resolve(item: vscode.TestItem): Promise<void> {
    const known = this.turns.get(item);
    if (known === undefined) return;
    const { entry, turn } = known;
    const outcomes = await this.services.turnFiles.outcomes(turn);
    const name = `${turnWords(turn)} · ${runLabel(entry.run)}`;
    const request = new vscode.TestRunRequest([item]);
    const run = this.controller.createTestRun(request, name, false);
    item.children.replace(
      byGroup(outcomes).map(([group, own]) => {
        const parent = this.controller.createTestItem(group, group);
        parent.sortText = String(GROUPS.indexOf(group));
        parent.children.replace(own.map((outcome) => this.testItem(turn, outcome)));
        return parent;
      }),
    );
    for (const [group, own] of byGroup(outcomes)) {
      const parent = item.children.get(group);
      for (const outcome of own) {
        const test = parent?.children.get(testItemId(outcome));
        if (test !== undefined) publish(run, test, outcome);
      }
    }
    run.end();
  }

  private testItem(turn: Turn, outcome: TestOutcome): vscode.TestItem {
    const uri = this.sourceOf(turn, outcome);
    const item = this.controller.createTestItem(testItemId(outcome), testLabel(outcome.id), uri);
    const tag = this.tags.get(outcome.group);
    if (tag !== undefined) item.tags = [tag];
    if (outcome.checkpoint !== turn.checkpoint) {
      item.description = fromWords(outcome.checkpoint);
    }
    if (uri !== undefined && outcome.line !== undefined) {
      item.range = new vscode.Range(outcome.line - 1, 0, outcome.line - 1, 0);
    }
    return item;
  }

  /** The test file, where the pack is in this window and its tests may be seen. */
  private sourceOf(turn: Turn, outcome: TestOutcome): vscode.Uri | undefined {
    const problem = problemNamed(this.services.library.state, turn.problem, turn.folder);
    if (problem === undefined || hideTests()) return undefined;
    return vscode.Uri.file(path.join(problem.folder, "tests", outcome.file));
  }
}

function publish(run: vscode.TestRun, item: vscode.TestItem, outcome: TestOutcome): void {
  const { status, durationMs, message } = outcome;
  if (status === "passed") run.passed(item, durationMs);
  else if (status === "skipped") run.skipped(item);
  else {
    const text = hideTests() ? "" : [shortMessage(message), message ?? ""].filter(Boolean).join("\n\n");
    const told = new vscode.TestMessage(text === "" ? statusWords("failed") : text);
    if (status === "failed") run.failed(item, told, durationMs);
    else run.errored(item, told, durationMs);
  }
}
