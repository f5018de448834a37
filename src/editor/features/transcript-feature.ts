import path from "node:path";
import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import { COMMANDS, TRANSCRIPT_PANEL } from "../ids.js";
import { transcriptAsAtif } from "../product.js";
import type { Feature } from "../services.js";
import { createTranscriptPanel, TranscriptPanel } from "../transcript/host.js";
import { registerCommands } from "./commands.js";
import { checkpointOf } from "./targets.js";

/** Open Transcript: one panel a turn, which comes back when the window is opened again. Export Transcript as ATIF. */
export const transcriptFeature: Feature = (services) => {
  const panels = new Map<string, TranscriptPanel>();
  const fill = (panel: vscode.WebviewPanel, folder: string): void => {
    const filled = new TranscriptPanel(panel, folder, services, {
      onExport: exportTranscript,
      onGone: () => {
        panels.delete(folder);
      },
    });
    panels.set(folder, filled);
  };
  const open = (folder: string): void => {
    const panel = panels.get(folder);
    if (panel === undefined) fill(createTranscriptPanel(services), folder);
    else panel.reveal();
  };
  return vscode.Disposable.from(
    registerCommands(services.errors, {
      [COMMANDS.openTranscript]: (value) => withFolder(value, open),
      [COMMANDS.exportTranscript]: (value) => withFolder(value, exportTranscript),
    }),
    vscode.window.registerWebviewPanelSerializer(TRANSCRIPT_PANEL, {
      // eslint-disable-next-line @typescript-eslint/require-await -- VS Code's contract is asynchronous, this is not
      deserializeWebviewPanel: async (panel, state) => {
        const folder = rememberedFolder(state);
        if (folder === undefined) panel.dispose();
        else fill(panel, folder);
      },
    }),
    {
      dispose: () => {
        for (const panel of panels.values()) panel.dispose();
      },
    },
  );
};

function withFolder<T>(value: unknown, work: (folder: string) => T): T | undefined {
  const turn = checkpointOf(value)?.turn;
  return turn === undefined ? undefined : work(turn.folder);
}

/** What the page keeps of itself: see `webview/transcript/state.ts`. */
function rememberedFolder(state: unknown): string | undefined {
  const isState = typeof state === "object" && state !== null && "folder" in state;
  return isState && typeof state.folder === "string" && path.isAbsolute(state.folder)
    ? state.folder
    : undefined;
}

async function exportTranscript(folder: string): Promise<void> {
  const text = await transcriptAsAtif(folder, new AbortController().signal);
  const name = `${path.basename(path.dirname(folder))}-${path.basename(folder)}.trajectory.json`;
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t("Export Transcript as ATIF"),
    filters: { [vscode.l10n.t("ATIF trajectory")]: ["json"] },
    ...(root === undefined ? {} : { defaultUri: vscode.Uri.joinPath(root, name) }),
  });
  if (uri === undefined) return;
  try {
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  } catch (error) {
    const message = vscode.l10n.t("{0} cannot be written", uri.fsPath);
    throw new SlopLensError("bad-input", message, vscode.l10n.t("Choose another place."), { cause: error });
  }
}
