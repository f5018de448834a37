import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import type { PlayData, ToPlayHost, ToPlayPage } from "../../core/report/play-protocol.js";
import { CONTEXT_KEYS, INTERNAL_COMMANDS, PLAY_VIEW } from "../ids.js";
import type { Services } from "../services.js";
import { problemRowId, runRowId } from "../tree/run-rows.js";
import { webviewPage, webviewRoot } from "../webview-page.js";
import { PlayEditor } from "./play-editor.js";
import { PlaySession, type PlaySource } from "./session.js";
import { SnapshotReader } from "./snapshot-reader.js";

const UPDATE_MS = 300;

/** The Play view: a page in the panel, and the session that it steers. */
export class PlayHost implements vscode.WebviewViewProvider, vscode.Disposable {
  private readonly reader: SnapshotReader;
  private readonly editor: PlayEditor;
  private readonly stopListening: () => void;
  private view: vscode.WebviewView | undefined;
  private session: PlaySession | undefined;
  private runs: unknown;
  private timer: NodeJS.Timeout | undefined;
  private revealed = "";

  constructor(private readonly services: Services) {
    this.reader = new SnapshotReader(services.analyzer);
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
    webview.html = webviewPage(webview, webviewRoot(this.services), {
      name: "play",
      title: vscode.l10n.t("Play"),
    });
  }

  /** Plays a trajectory from one of its checkpoints on. @throws SlopLensError run-folder when it has none */
  async play(source: PlaySource): Promise<void> {
    this.session?.stop();
    this.revealed = "";
    const session = new PlaySession(source, this.services, this.reader, this.editor, (data) => {
      void this.send(data);
    });
    this.session = session;
    await vscode.commands.executeCommand("setContext", CONTEXT_KEYS.playing, true);
    await vscode.commands.executeCommand(`${PLAY_VIEW}.focus`);
    if (await session.start()) return;
    await this.stop();
    throw new SlopLensError(
      "run-folder",
      vscode.l10n.t("This run has no checkpoint to play"),
      vscode.l10n.t("Wait until its first checkpoint is taken, or choose another run."),
    );
  }

  /** Ends playing; the editor stays as it is. */
  async stop(): Promise<void> {
    this.session?.stop();
    this.session = undefined;
    this.editor.release();
    this.services.library.play(undefined);
    await vscode.commands.executeCommand("setContext", CONTEXT_KEYS.playing, false);
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
      void this.services.errors.guard("Play", () => this.session?.update());
    }, UPDATE_MS);
  }

  private async send(data: PlayData): Promise<void> {
    if (this.view !== undefined) this.view.description = data.title;
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
