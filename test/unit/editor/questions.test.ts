import { beforeEach, describe, expect, it, vi } from "vitest";
import { Questions, type Choice } from "../../../src/editor/run/questions.js";

type Listener = () => void;

/** A quick pick or an input box that a person answers. */
class FakeInput {
  items: readonly Choice<string>[] = [];
  activeItems: readonly Choice<string>[] = [];
  selectedItems: readonly Choice<string>[] = [];
  value = "";
  title = "";
  buttons: readonly unknown[] = [];
  private readonly accepted: Listener[] = [];
  private readonly pressed: Listener[] = [];
  private readonly hidden: Listener[] = [];
  onDidAccept = (listener: Listener): number => this.accepted.push(listener);
  onDidTriggerButton = (listener: Listener): number => this.pressed.push(listener);
  onDidHide = (listener: Listener): number => this.hidden.push(listener);
  show = (): void => undefined;
  dispose = (): void => undefined;
  hide = (): void => {
    for (const listener of this.hidden) listener();
  };

  choose(label: string): void {
    this.selectedItems = this.items.filter((item) => item.label === label);
    for (const listener of this.accepted) listener();
  }
  back(): void {
    expect(this.buttons).toHaveLength(1);
    for (const listener of this.pressed) listener();
  }
}

const inputs = vi.hoisted((): { made: (() => void)[]; waiting: unknown[] } => ({ made: [], waiting: [] }));
vi.mock("vscode", () => {
  const create = (): FakeInput => {
    const input = new FakeInput();
    inputs.waiting.push(input);
    return input;
  };
  return {
    window: { createQuickPick: create, createInputBox: create },
    QuickInputButtons: { Back: "back" },
  };
});

/** The question that stands on the screen. */
async function shown(): Promise<FakeInput> {
  await expect.poll(() => inputs.waiting.length).toBe(1);
  return inputs.waiting.pop() as FakeInput;
}

class Memory {
  readonly kept = new Map<string, unknown>();
  get = (key: string): unknown => this.kept.get(key);
  update = (key: string, value: unknown): Promise<void> => {
    this.kept.set(key, value);
    return Promise.resolve();
  };
}

const items = (...labels: string[]): Choice<string>[] => labels.map((label) => ({ label, value: label }));

/** Asks for a fruit; for apples also for their colour; then whether to eat it. */
async function flow(ask: Questions): Promise<string[] | undefined> {
  const fruit = await ask.pick({ id: "fruit", step: "Fruit", placeHolder: "" }, items("apple", "pear"));
  if (fruit === undefined) return undefined;
  const colour =
    fruit === "apple"
      ? await ask.pick({ id: "colour", step: "Colour", placeHolder: "" }, items("red", "green"))
      : "green";
  if (colour === undefined) return undefined;
  const deed = await ask.pick({ id: "deed", step: "Deed", placeHolder: "" }, items("eat", "keep"));
  return deed === undefined ? undefined : [fruit, colour, deed];
}

let memory: Memory;
beforeEach(() => {
  inputs.waiting = [];
  memory = new Memory();
});

describe("the questions of a flow", () => {
  it("goes back step by step, also into another branch, and keeps what was answered before", async () => {
    const answer = Questions.ask("Take", memory, flow);
    const first = await shown();
    expect([first.title, first.buttons]).toEqual(["Take: Fruit", []]);
    first.choose("apple");
    (await shown()).choose("green");
    const deed = await shown();
    expect(deed.title).toBe("Take: Deed");
    deed.back();
    const colour = await shown();
    expect([colour.title, colour.activeItems.map(({ label }) => label)]).toEqual(["Take: Colour", ["green"]]);
    colour.back();
    (await shown()).choose("pear");
    (await shown()).choose("keep");
    expect(await answer).toEqual(["pear", "green", "keep"]);
  });

  it("returns nothing when the user leaves at any step", async () => {
    for (const steps of [[], ["apple"], ["apple", "red"]]) {
      const answer = Questions.ask("Take", memory, flow);
      for (const step of steps) (await shown()).choose(step);
      (await shown()).hide();
      expect(await answer).toBeUndefined();
    }
  });

  it("offers first what was chosen the last time", async () => {
    const before = Questions.ask("Take", memory, flow);
    for (const step of ["pear", "keep"]) (await shown()).choose(step);
    await before;
    const answer = Questions.ask("Take", memory, flow);
    const first = await shown();
    expect(first.activeItems.map(({ label }) => label)).toEqual(["pear"]);
    first.hide();
    await answer;
  });

  it("keeps no secret, and does not ask for it again behind another question", async () => {
    const kept: string[] = [];
    const answer = Questions.ask("Take", memory, async (ask) => {
      const fruit = await ask.pick({ id: "fruit", step: "", placeHolder: "" }, items("apple"));
      const secret = kept[0] ?? (await ask.secret({ id: "key", step: "Key", placeHolder: "" }));
      if (secret !== undefined) kept[0] = secret;
      return ask.pick({ id: "deed", step: `${fruit ?? ""} ${kept.length}`, placeHolder: "" }, items("eat"));
    });
    (await shown()).choose("apple");
    const key = await shown();
    key.value = "s3cret";
    key.choose("");
    const deed = await shown();
    deed.back();
    (await shown()).choose("apple");
    (await shown()).choose("eat");
    expect(await answer).toBe("eat");
    expect(JSON.stringify([...memory.kept])).not.toContain("s3cret");
  });
});
