import * as vscode from "vscode";

/** An entry of a quick pick that stands for a value. */
export interface Choice<T> extends vscode.QuickPickItem {
  readonly value: T;
}

/** One question of several. */
export interface Question {
  /** Unique among the questions of a flow: what was answered is found by it. */
  readonly id: string;
  /** What it is about, behind the title of the flow. */
  readonly step: string;
  readonly placeHolder: string;
}

/** Where answers are kept from one time to the next. */
export interface AnswerMemory {
  get(key: string): unknown;
  update(key: string, value: string): Thenable<void>;
}

const MEMORY = "slopLens.answers";

/** Ends a pass through a flow, because the user went back. */
class WentBack extends Error {}

type Outcome<T> = { readonly answer: T; readonly label: string } | "back" | undefined;

/**
 * The questions of one flow. The flow is a function that asks; where the user goes back it is called anew and gets the
 * answers before from here, so that any flow, however it branches, can be gone back in. What was answered the last time
 * is offered first. A page that takes the focus while it loads, or a look at another window, loses no answer.
 */
export class Questions {
  private readonly answers = new Map<string, unknown>();
  private path: string[] = [];

  private constructor(
    readonly title: string,
    private readonly memory: AnswerMemory,
  ) {}

  /**
   * Asks what a flow asks.
   * @param title what is done with the answers, for example `Run Trajectory`
   * @returns what the flow returns; undefined when the user left
   */
  static async ask<T>(
    title: string,
    memory: AnswerMemory,
    flow: (ask: Questions) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const questions = new Questions(title, memory);
    for (;;) {
      questions.path = [];
      try {
        return await flow(questions);
      } catch (error) {
        if (!(error instanceof WentBack)) throw error;
      }
    }
  }

  /** Shows a list of which one is chosen; descriptions are searched too. @returns undefined when the user left */
  pick<T>(question: Question, items: readonly Choice<T>[]): Promise<T | undefined> {
    return this.answerOf(question, () =>
      this.list<Choice<T>, T>(question, items, (input) => {
        const last = input.items.find(({ label }) => label === this.remembered(question.id));
        // Without an active entry Enter would choose nothing.
        if (last !== undefined) input.activeItems = [last];
        return () => {
          const [chosen] = input.selectedItems;
          return chosen === undefined ? undefined : { answer: chosen.value, label: chosen.label };
        };
      }),
    );
  }

  /** {@link pick} for several; nothing ticked is no answer. */
  pickMany<T>(question: Question, items: readonly Choice<T>[]): Promise<T[] | undefined> {
    return this.answerOf(question, () =>
      this.list<Choice<T>, T[]>(question, items, (input) => {
        input.canSelectMany = true;
        return () => {
          const chosen = input.selectedItems;
          return chosen.length === 0 ? undefined : { answer: chosen.map(({ value }) => value), label: "" };
        };
      }),
    );
  }

  /** Asks for a line of text. @returns undefined when the user left, or wrote nothing */
  text(question: Question): Promise<string | undefined> {
    return this.answerOf(question, () => this.line(question, false));
  }

  /** {@link text} for what nobody may see; it is kept nowhere here. */
  async secret(question: Question): Promise<string | undefined> {
    const outcome = await this.line(question, true);
    return outcome === "back" ? this.goBack() : outcome?.answer;
  }

  private async answerOf<T>({ id }: Question, show: () => Promise<Outcome<T>>): Promise<T | undefined> {
    if (this.answers.has(id)) {
      this.path.push(id);
      // What a question was answered with is what its own kind of question returns.
      return this.answers.get(id) as T;
    }
    const outcome = await show();
    if (outcome === undefined) return undefined;
    if (outcome === "back") return this.goBack();
    this.path.push(id);
    this.answers.set(id, outcome.answer);
    if (outcome.label !== "") await this.memory.update(`${MEMORY}.${id}`, outcome.label);
    return outcome.answer;
  }

  private goBack(): never {
    const last = this.path.pop();
    if (last !== undefined) this.answers.delete(last);
    throw new WentBack();
  }

  private remembered(id: string): string | undefined {
    const label = this.memory.get(`${MEMORY}.${id}`);
    return typeof label === "string" ? label : undefined;
  }

  private list<I extends vscode.QuickPickItem, T>(
    question: Question,
    items: readonly I[],
    prepare: (input: vscode.QuickPick<I>) => () => Outcome<T>,
  ): Promise<Outcome<T>> {
    const input = vscode.window.createQuickPick<I>();
    input.items = items;
    input.placeholder = question.placeHolder;
    input.matchOnDescription = true;
    return this.shown(input, question, prepare(input));
  }

  private line(question: Question, password: boolean): Promise<Outcome<string>> {
    const input = vscode.window.createInputBox();
    input.prompt = question.placeHolder;
    input.password = password;
    return this.shown(input, question, () => {
      const answer = input.value.trim();
      return answer === "" ? undefined : { answer, label: "" };
    });
  }

  /** @param answer what stands in the input now; undefined as long as that is no answer */
  private shown<T>(
    input: vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox,
    { step }: Question,
    answer: () => Outcome<T>,
  ): Promise<Outcome<T>> {
    input.title = step === "" ? this.title : `${this.title}: ${step}`;
    input.ignoreFocusOut = true;
    input.buttons = this.path.length > 0 ? [vscode.QuickInputButtons.Back] : [];
    return new Promise((resolve) => {
      const settle = (outcome: Outcome<T>): void => {
        resolve(outcome);
        input.hide();
      };
      input.onDidAccept(() => {
        const given = answer();
        if (given !== undefined) settle(given);
      });
      input.onDidTriggerButton(() => {
        settle("back");
      });
      input.onDidHide(() => {
        resolve(undefined);
        input.dispose();
      });
      input.show();
    });
  }
}
