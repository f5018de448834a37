import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import type { PlayData, ToPlayHost, ToPlayPage } from "../../core/report/play-protocol.js";
import { CONTEXT_KEYS, INTERNAL_COMMANDS, PLAY_VIEW } from "../ids.js";
import type { Services } from "../services.js";
import { problemRowId, runRowId } from "../tree/run-rows.js";
import { webviewPage, webviewRoot } from "../webview-page.js";
import { PlayEditor } from "./play-editor.js";
import { readMemory, type PlayMemory } from "./memory.js";
import { PlaySession, type PlaySource } from "./session.js";

const UPDATE_MS = 300;
/** What is played, in the workspace's own memory. */
const REMEMBERED = "slopLens.play";

/** The Play view: a page in the panel, and the session that it steers. */
export class PlayHost implements vscode.WebviewViewProvider, vscode.Disposable {
  private readonly editor: PlayEditor;
  private readonly stopListening: () => void;
  private view: vscode.WebviewView | undefined;
  private session: PlaySession | undefined;
  private runs: unknown;
  private timer: NodeJS.Timeout | undefined;
  private revealed = "";
  private remembered: string | undefined;

  constructor(private readonly services: Services) {
    this.editor = new PlayEditor(services.marks);
    this.stopListening = services.library.onDidChange(({ runs }) => {
      if (runs !== this.runs) this.update();
      this.runs = runs;
    });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    const { webview } = view;
    webview.options = { enableScripts: true, localResourceRoots: [webviewRoot(this.services)] };
    webview.onDidReceiveMessage((message: ToPlayHost) =>
      this.services.errors.guard("Play", () => this.receive(message)),
    );
    view.onDidDispose(() => {
      this.view = undefined;
    });
    view.onDidChangeVisibility(() => this.services.errors.guard("Play", () => this.keep()));
    webview.html = webviewPage(webview, webviewRoot(this.services), {
      name: "play",
      title: vscode.l10n.t("Play"),
    });
  }

  /** Plays a trajectory from one of its checkpoints on. @throws SlopLensError run-folder when it has none */
  async play(source: PlaySource): Promise<void> {
    if (await this.begin(source, true)) return;
    throw new SlopLensError(
      "run-folder",
      vscode.l10n.t("This run has no checkpoint to play"),
      vscode.l10n.t("Wait until its first checkpoint is taken, or choose another run."),
    );
  }

  /** Goes on with what was played when the window was closed or loaded anew, without taking the focus. */
  async restore(): Promise<void> {
    const kept = readMemory(this.services.context.workspaceState.get(REMEMBERED));
    if (kept === undefined || this.session !== undefined) return;
    this.remembered = JSON.stringify(kept);
    const { library } = this.services;
    const isKnown = library.state.runs.some(({ folder }) => folder === kept.source.run);
    // One that was opened from elsewhere is opened again; one that is gone is forgotten.
    const isThere = isKnown || (await library.open(kept.source.run).then(Boolean, () => false));
    if (!isThere || !(await this.begin(kept.source, kept.visible, true))) await this.remember(undefined);
  }

  /** @returns whether there is something to play */
  private async begin(source: PlaySource, show: boolean, preserveFocus = false): Promise<boolean> {
    this.session?.stop();
    this.revealed = "";
    const session = new PlaySession(source, this.services, this.editor, (data) => {
      void this.send(data);
    });
    this.session = session;
    await vscode.commands.executeCommand("setContext", CONTEXT_KEYS.playing, true);
    if (show) await vscode.commands.executeCommand(`${PLAY_VIEW}.focus`, { preserveFocus });
    const hasBegun = await session.start();
    if (!hasBegun && this.session === session) await this.stop();
    return hasBegun;
  }

  /** Ends playing: its view, its tab unless that was kept, and its place in the trees are gone. */
  async stop(): Promise<void> {
    this.session?.stop();
    this.session = undefined;
    await this.remember(undefined);
    this.services.library.play(undefined);
    await this.editor.close();
    // A panel that loses its view shows the next one, which nobody asked for.
    if (this.view?.visible === true) await vscode.commands.executeCommand("workbench.action.closePanel");
    await vscode.commands.executeCommand("setContext", CONTEXT_KEYS.playing, false);
  }

  private async keep(): Promise<void> {
    if (this.session?.isReady === true) await this.remember(this.session.present);
  }

  private async remember(source: PlaySource | undefined): Promise<void> {
    const memory: PlayMemory | undefined = source && { source, visible: this.view?.visible === true };
    const text = JSON.stringify(memory);
    if (text === this.remembered) return;
    this.remembered = text;
    await this.services.context.workspaceState.update(REMEMBERED, memory);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.stopListening();
    this.session?.stop();
  }

  private update(): void {
    if (this.session === undefined) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.services.errors.guard("Play", () => this.takeIn());
    }, UPDATE_MS);
  }

  /** Takes in what came to the run; one that is gone is played no more. */
  private async takeIn(): Promise<void> {
    const { session } = this;
    if (session !== undefined && !(await session.update()) && this.session === session) await this.stop();
  }

  private async send(data: PlayData): Promise<void> {
    if (this.view !== undefined) this.view.description = data.title;
    await this.keep();
    await this.post({ type: "data", data });
    await this.revealRow();
  }

  private async post(message: ToPlayPage): Promise<void> {
    await this.view?.webview.postMessage(message);
  }

  /** The row of the present checkpoint in the Runs view, where that is in sight. */
  private async revealRow(): Promise<void> {
    const { played, runs } = this.services.library.state;
    const run = runs.find(({ folder }) => folder === played?.run);
    const part = run?.problems.find(({ turns }) => turns.some(({ id }) => id === played?.turn));
    const turn = part?.turns.find(({ id }) => id === played?.turn);
    if (run === undefined || part === undefined || turn === undefined) return;
    const id = runRowId(run, part);
    const row = `${id}/${turn.checkpoint}`;
    if (row === this.revealed) return;
    this.revealed = row;
    const path = [problemRowId(part.problem), id, row];
    await vscode.commands.executeCommand(INTERNAL_COMMANDS.revealInRuns, path, "where-visible");
  }

  private async receive(message: ToPlayHost): Promise<void> {
    const { session } = this;
    if (session === undefined) return;
    switch (message.type) {
      case "ready":
        await this.post({ type: "data", data: session.data });
        break;
      case "step":
        await session.step(message.index);
        break;
      case "follow":
        await session.setFollowed(message.id);
        break;
      case "mode":
        await session.setMode(message.mode);
        break;
    }
  }
}
