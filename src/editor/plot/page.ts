import { randomBytes } from "node:crypto";
import type * as vscode from "vscode";

/** The plot's page: its own script and style, nothing from elsewhere. */
export function plotPage(webview: vscode.Webview, root: vscode.Uri, problem: string): string {
  const nonce = randomBytes(18).toString("base64");
  const file = (name: string): string =>
    webview.asWebviewUri(root.with({ path: `${root.path}/${name}` })).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
    `font-src ${webview.cspSource}`,
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${file("plot.css")}">
    <title>Erosion</title>
  </head>
  <body data-problem="${escapeAttribute(problem)}">
    <main id="app"></main>
    <script nonce="${nonce}" src="${file("plot.js")}"></script>
  </body>
</html>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
