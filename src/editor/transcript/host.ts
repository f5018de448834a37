import path from "node:path";
import * as vscode from "vscode";
import type { ToTranscriptHost, ToTranscriptPage } from "../../core/report/transcript-page.js";
import { sentencesOf, SlopLensError } from "../../core/model/errors.js";
import { TRANSCRIPT_PANEL } from "../ids.js";
import { listFiles } from "../library/turn-files.js";
import { readTranscriptPage } from "../product.js";
import type { Services } from "../services.js";
import { webviewPage, webviewRoot } from "../webview-page.js";
import { checkpointLabel } from "../words.js";
import { Told } from "./told.js";

/** Between two readings while an agent is at work: milliseconds at least, and how often what the reading took. */
const SHORTEST_PAUSE = 1000;
const PAUSE_SHARE = 4;

/** What a panel does beyond showing. */
export interface TranscriptActions {
  readonly onExport: (folder: string) => Promise<void>;
  readonly onGone: () => void;
}

/** One panel with what the agent did in one turn. */
export class TranscriptPanel implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable;
  private reading = new AbortController();
  private files: ReadonlySet<string> = new Set();
  private readonly told = new Told();
  private isReady = false;
  private next: NodeJS.Timeout | undefined;

  /** @param folder the checkpoint's folder in its run */
  constructor(
    private readonly panel: vscode.WebviewPanel,
    readonly folder: string,
    private readonly services: Services,
    private readonly actions: TranscriptActions,
  ) {
    const { webview } = panel;
    panel.title = vscode.l10n.t("Transcript: {0}", titleOf(folder));
    const icon = (theme: string): vscode.Uri =>
      vscode.Uri.joinPath(services.context.extensionUri, "media", `transcript-${theme}.svg`);
    panel.iconPath = { light: icon("light"), dark: icon("dark") };
    webview.options = { enableScripts: true, localResourceRoots: [webviewRoot(services)] };
    this.subscriptions = vscode.Disposable.from(
      webview.onDidReceiveMessage((message: ToTranscriptHost) =>
        services.errors.guard("Transcript", () => this.receive(message)),
      ),
      {
        dispose: services.library.onDidChange(() => {
          // A checkpoint that is taken anew has the folder that it had.
          if (this.next === undefined && this.isReady && this.isLive()) this.readAgain(0);
        }),
      },
      panel.onDidDispose(() => {
        this.dispose();
        actions.onGone();
      }),
    );
    this.load();
  }

  /** Brings the panel to the front and reads the transcript again: the agent may be at work. */
  reveal(): void {
    this.panel.reveal();
    void this.services.errors.guard("Transcript", () => this.send());
  }

  dispose(): void {
    this.reading.abort();
    clearTimeout(this.next);
    this.subscriptions.dispose();
  }

  private load(): void {
    this.panel.webview.html = webviewPage(this.panel.webview, webviewRoot(this.services), {
      ...{ name: "transcript", title: vscode.l10n.t("Transcript") },
      data: { folder: this.folder },
    });
  }

  private async receive(message: ToTranscriptHost): Promise<void> {
    switch (message.type) {
      case "ready":
        this.isReady = true;
        this.told.forget();
        await this.send();
        break;
      case "open-file":
        await this.openFile(message.file);
        break;
      case "export":
        await this.actions.onExport(this.folder);
        break;
      case "copy":
        await vscode.env.clipboard.writeText(message.text);
        vscode.window.setStatusBarMessage(vscode.l10n.t("Slop Lens: copied"), 2000);
        break;
    }
  }

  /** Only what is in the snapshot: the page shows texts of strangers. */
  private async openFile(file: string): Promise<void> {
    if (!this.files.has(file)) return;
    const uri = vscode.Uri.file(path.join(this.folder, "snapshot", file));
    await vscode.window.showTextDocument(uri, { preview: true, viewColumn: vscode.ViewColumn.Beside });
  }

  /** Reads the transcript and tells the page what is new in it; while the agent is at work, again and again. */
  private async send(): Promise<void> {
    this.reading.abort();
    clearTimeout(this.next);
    const reading = new AbortController();
    this.reading = reading;
    const [live, startedAt] = [this.isLive(), Date.now()];
    try {
      this.files = new Set(await listFiles(path.join(this.folder, "snapshot")));
      const { head, message, pieces } = await readTranscriptPage(
        this.folder,
        titleOf(this.folder),
        this.files,
        reading.signal,
      );
      const from = this.told.newsIn(head, live, message);
      if (from === undefined) return;
      if (!(await this.post(reading.signal, { type: "head", head, from, live }))) return;
      for (const messages of pieces(from)) {
        if (live) this.told.add(messages);
        if (!(await this.post(reading.signal, { type: "messages", messages }))) return;
      }
    } catch (error) {
      await this.sendTrouble(SlopLensError.from(error), reading.signal, live);
    } finally {
      if (live && !reading.signal.aborted) this.readAgain(Date.now() - startedAt);
    }
  }

  private async sendTrouble(known: SlopLensError, signal: AbortSignal, live: boolean): Promise<void> {
    if (known.code === "cancelled") return;
    this.told.forget();
    const isNothing = known.code === "run-folder";
    const text =
      live && isNothing
        ? vscode.l10n.t("The agent is at work and has said nothing yet.")
        : sentencesOf(known);
    await this.post(signal, { type: "trouble", text });
    if (!isNothing) throw known;
  }

  /** @param milliseconds what reading took: of a large transcript, less often */
  private readAgain(milliseconds: number): void {
    const pause = Math.max(SHORTEST_PAUSE, milliseconds * PAUSE_SHARE);
    clearTimeout(this.next);
    this.next = setTimeout(() => {
      this.next = undefined;
      void this.services.errors.guard("Transcript", () => this.send());
    }, pause);
  }

  /** Whether the turn is being taken. */
  private isLive(): boolean {
    const { runs } = this.services.library.state;
    return runs.some(
      ({ state, problems }) =>
        state === "running" &&
        problems.some(({ turns }) =>
          turns.some(({ folder, verdict }) => folder === this.folder && verdict === undefined),
        ),
    );
  }

  private async post(signal: AbortSignal, message: ToTranscriptPage): Promise<boolean> {
    return !signal.aborted && (await this.panel.webview.postMessage(message));
  }
}

/** `shelf · Checkpoint 2`, by the folder's own place in its run. */
function titleOf(folder: string): string {
  return `${path.basename(path.dirname(folder))} · ${checkpointLabel(path.basename(folder))}`;
}

/** Creates the empty panel that a `TranscriptPanel` fills. */
export function createTranscriptPanel(services: Services): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(
    TRANSCRIPT_PANEL,
    vscode.l10n.t("Transcript"),
    vscode.ViewColumn.Active,
    {
      enableScripts: true,
      enableFindWidget: true,
      localResourceRoots: [webviewRoot(services)],
    },
  );
}
