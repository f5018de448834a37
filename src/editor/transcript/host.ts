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

  /** @param folder the checkpoint's folder in its run */
  constructor(
    private readonly panel: vscode.WebviewPanel,
    readonly folder: string,
    private readonly services: Services,
    private readonly actions: TranscriptActions,
  ) {
    const { webview } = panel;
    panel.title = `Transcript: ${titleOf(folder)}`;
    const icon = (theme: string): vscode.Uri =>
      vscode.Uri.joinPath(services.context.extensionUri, "media", `transcript-${theme}.svg`);
    panel.iconPath = { light: icon("light"), dark: icon("dark") };
    webview.options = { enableScripts: true, localResourceRoots: [webviewRoot(services)] };
    this.subscriptions = vscode.Disposable.from(
      webview.onDidReceiveMessage((message: ToTranscriptHost) =>
        services.errors.guard("Transcript", () => this.receive(message)),
      ),
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
    this.subscriptions.dispose();
  }

  private load(): void {
    this.panel.webview.html = webviewPage(this.panel.webview, webviewRoot(this.services), {
      ...{ name: "transcript", title: "Transcript" },
      data: { folder: this.folder },
    });
  }

  private async receive(message: ToTranscriptHost): Promise<void> {
    switch (message.type) {
      case "ready":
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
        vscode.window.setStatusBarMessage("Slop Lens: copied", 2000);
        break;
    }
  }

  /** Only what is in the snapshot: the page shows texts of strangers. */
  private async openFile(file: string): Promise<void> {
    if (!this.files.has(file)) return;
    const uri = vscode.Uri.file(path.join(this.folder, "snapshot", file));
    await vscode.window.showTextDocument(uri, { preview: true, viewColumn: vscode.ViewColumn.Beside });
  }

  private async send(): Promise<void> {
    this.reading.abort();
    const reading = new AbortController();
    this.reading = reading;
    try {
      this.files = new Set(await listFiles(path.join(this.folder, "snapshot")));
      const { head, pieces } = await readTranscriptPage(
        this.folder,
        titleOf(this.folder),
        this.files,
        reading.signal,
      );
      if (!(await this.post(reading.signal, { type: "head", head }))) return;
      for (const messages of pieces()) {
        if (!(await this.post(reading.signal, { type: "messages", messages }))) return;
      }
    } catch (error) {
      const known = SlopLensError.from(error);
      if (known.code === "cancelled") return;
      await this.post(reading.signal, { type: "trouble", text: sentencesOf(known) });
      if (known.code !== "run-folder") throw known;
    }
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
  return vscode.window.createWebviewPanel(TRANSCRIPT_PANEL, "Transcript", vscode.ViewColumn.Active, {
    enableScripts: true,
    enableFindWidget: true,
    localResourceRoots: [webviewRoot(services)],
  });
}
