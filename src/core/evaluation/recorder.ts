import type { TestIdentity, TestOutcome } from "../model/outcome.js";
import type { CustomMarker } from "../model/problem.js";
import type { EvaluationListener } from "./evaluation.js";
import type { HarnessEvent, HarnessEventOf } from "./events.js";
import { groupOf } from "./groups.js";

/** Folder of the hidden tests inside the workspace; the name is SCB's. */
export const TESTS_FOLDER = ".evaluation_tests";

/** Events that come at most once in an evaluation that goes well. */
const NOTED = ["setup", "refused", "start", "internal-error", "interrupted", "finish", "exit"] as const;
type Noted = (typeof NOTED)[number];

/** Keeps what the harness tells about one evaluation, and passes it on live. */
export class Recorder {
  /** Collection errors and skipped modules, in pytest's order. */
  readonly collectErrors: HarnessEventOf<"collect-error">[] = [];
  readonly collectSkips: HarnessEventOf<"collect-skip">[] = [];
  readonly outcomes: TestOutcome[] = [];
  /** The test that began last and has not finished. */
  running: TestIdentity | undefined;
  /** Set when one message contradicts another. */
  contradiction: string | undefined;
  private readonly noted = new Map<Noted, HarnessEvent>();
  private readonly tests = new Map<string, TestIdentity>();
  private readonly finished = new Set<string>();

  constructor(
    private readonly current: string,
    private readonly markers: readonly CustomMarker[],
    private readonly listener: EvaluationListener,
  ) {}

  /** How many tests pytest collected. */
  get collected(): number {
    return this.tests.size;
  }

  /** The event of a kind, the first one if there are several. */
  first<Name extends Noted>(name: Name): HarnessEventOf<Name> | undefined {
    const event = this.noted.get(name);
    return isNamed(event, name) ? event : undefined;
  }

  /** Takes the next event. */
  take(event: HarnessEvent): void {
    if (isNoted(event)) {
      if (!this.noted.has(event.event)) this.noted.set(event.event, event);
      return;
    }
    switch (event.event) {
      case "collect-error":
        this.collectErrors.push(event);
        break;
      case "collect-skip":
        this.collectSkips.push(event);
        break;
      case "collected":
        this.collect(event);
        break;
      case "test-start":
        this.begin(event.node);
        break;
      case "test-finish":
        this.finish(event);
        break;
    }
  }

  private collect(event: HarnessEventOf<"collected">): void {
    for (const { node, line, markers } of event.tests) {
      const { file, id } = splitNode(node);
      const checkpoint = checkpointOf(file);
      const group = groupOf({ checkpoint, markers }, this.current, this.markers);
      if (this.tests.has(node)) this.contradiction ??= `${node} was collected twice`;
      this.tests.set(node, { id, checkpoint, group, file, line: line ?? undefined });
    }
    this.listener.onCollected([...this.tests.values()]);
  }

  private begin(node: string): void {
    const test = this.known(node);
    if (test === undefined) return;
    this.running = test;
    this.listener.onStarted(test);
  }

  private finish(event: HarnessEventOf<"test-finish">): void {
    const test = this.known(event.node);
    if (test === undefined) return;
    this.finished.add(event.node);
    this.running = undefined;
    const outcome: TestOutcome = {
      ...test,
      status: event.status,
      durationMs: event.seconds * 1000,
      message: event.message ?? undefined,
    };
    this.outcomes.push(outcome);
    this.listener.onFinished(outcome);
  }

  /**
   * Gives an outcome to every test that has none, after the running one made it impossible to go on: that one has
   * failed, and those that were to follow could not be run.
   * @param cause what happened, for a sentence
   */
  closeOverloaded(cause: string): void {
    const { running } = this;
    const named = running === undefined ? "an earlier test" : `${running.file}::${running.id}`;
    for (const [node, test] of this.tests) {
      if (this.finished.has(node)) continue;
      const isRunning = test === running;
      const message = isRunning ? `The tests could not go on: ${cause}` : `Not run: in ${named} ${cause}`;
      const status = isRunning ? "failed" : "error";
      this.finish({ event: "test-finish", node, status, seconds: 0, message });
    }
  }

  /** The collected test of a node that has no outcome yet. */
  private known(node: string): TestIdentity | undefined {
    const test = this.tests.get(node);
    if (test === undefined) this.contradiction ??= `${node} ran without having been collected`;
    else if (this.finished.has(node)) this.contradiction ??= `${node} was reported twice`;
    else return test;
    return undefined;
  }
}

function isNoted(event: HarnessEvent): event is HarnessEventOf<Noted> {
  return NOTED.some((name) => name === event.event);
}

function isNamed<Name extends Noted>(
  event: HarnessEvent | undefined,
  name: Name,
): event is HarnessEventOf<Name> {
  return event?.event === name;
}

/** Cuts pytest's node id into the file, relative to the tests folder, and the rest. */
function splitNode(node: string): { file: string; id: string } {
  const [place = "", ...rest] = node.split("::");
  const prefix = `${TESTS_FOLDER}/`;
  return { file: place.startsWith(prefix) ? place.slice(prefix.length) : place, id: rest.join("::") };
}

/** `test_checkpoint_2.py` → `checkpoint_2`, also in a folder below. */
function checkpointOf(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return name.replace(/^test_/u, "").replace(/\.py$/u, "");
}
