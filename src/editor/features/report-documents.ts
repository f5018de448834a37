import * as vscode from "vscode";
import { REPORT_SCHEME } from "../ids.js";

const MOST_KEPT = 50;

/** Reports that are made on demand, shown as a Markdown preview; nothing is written to disk. */
export class ReportDocuments implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly emitter = new vscode.EventEmitter<vscode.Uri>();
  private readonly provider = vscode.workspace.registerTextDocumentContentProvider(REPORT_SCHEME, {
    onDidChange: this.emitter.event,
    provideTextDocumentContent: (uri) =>
      this.texts.get(uri.toString()) ?? vscode.l10n.t("This report is no longer known."),
  });

  /**
   * Shows a report; one of the same name and key is replaced.
   * @param name what the tab shows
   * @param key tells reports of the same name apart
   */
  async show(name: string, key: string, markdown: string): Promise<void> {
    const uri = vscode.Uri.from({
      scheme: REPORT_SCHEME,
      path: `/${name.replaceAll("/", " ")}.md`,
      query: key,
    });
    this.texts.set(uri.toString(), markdown);
    const [oldest] = this.texts.keys();
    if (this.texts.size > MOST_KEPT && oldest !== undefined) this.texts.delete(oldest);
    this.emitter.fire(uri);
    await vscode.commands.executeCommand("markdown.showPreview", uri);
  }

  dispose(): void {
    this.provider.dispose();
    this.emitter.dispose();
  }
}
