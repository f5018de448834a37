import { randomBytes } from "node:crypto";
import path from "node:path";
import * as vscode from "vscode";
import type { Services } from "./services.js";

export interface PageContent {
  /** Of the page's script and style below `dist/webview`, without their endings. */
  readonly name: string;
  readonly title: string;
  /** Attributes `data-…` of the body. */
  readonly data?: Readonly<Record<string, string>>;
}

/** A page of ours: its own script and style, nothing from elsewhere. */
export function webviewPage(webview: vscode.Webview, root: vscode.Uri, content: PageContent): string {
  const nonce = randomBytes(18).toString("base64");
  const file = (ending: string): string =>
    webview.asWebviewUri(root.with({ path: `${root.path}/${content.name}.${ending}` })).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
    `font-src ${webview.cspSource}`,
  ].join("; ");
  const texts = vscode.l10n.bundle === undefined ? {} : { texts: JSON.stringify(vscode.l10n.bundle) };
  const data = Object.entries({ ...content.data, ...texts }).map(
    ([key, value]) => ` data-${key}="${escaped(value)}"`,
  );
  return `<!DOCTYPE html>
<html lang="${escaped(vscode.env.language)}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${file("css")}">
    <title>${escaped(content.title)}</title>
  </head>
  <body${data.join("")}>
    <main id="app"></main>
    <script nonce="${nonce}" src="${file("js")}"></script>
  </body>
</html>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** Folder with the pages' scripts and styles. */
export function webviewRoot({ files }: Pick<Services, "files">): vscode.Uri {
  return vscode.Uri.file(path.join(files.dist, "webview"));
}
