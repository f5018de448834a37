import * as vscode from "vscode";
import type { Turn } from "../../core/model/turn.js";
import { erosionSeries } from "../../core/report/erosion-series.js";
import { headToHead } from "../../core/report/head-to-head.js";
import type { Comparison, PlotSelection, ToPlotHost, ToPlotPage } from "../../core/report/plot-protocol.js";
import { attemptLabel } from "../../core/report/run-label.js";
import { openChanges } from "../earlier-document.js";
import { COMMANDS, INTERNAL_COMMANDS, PLOT_PANEL } from "../ids.js";
import { previousTurn, problemNamed, runsOf, type PlayedPlace, type RunPart } from "../library/state.js";
import { showDifferences } from "../features/compare-runs.js";
import type { Services } from "../services.js";
import type { CheckpointTarget } from "../tree/node.js";
import { webviewPage, webviewRoot } from "../webview-page.js";

const UPDATE_MS = 300;

/** One panel with the erosion plot of one problem. It shows what the library tells and follows live runs. */
export class PlotPanel implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;
  private readonly closed = new AbortController();
  private ready = false;
  /** What the page is to show once it is ready. */
  private awaited: Extract<ToPlotPage, { type: "follow" | "show-comparison" }> | undefined;
  private shown = "";
  private played: PlayedPlace | undefined;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    readonly problem: string,
    private readonly services: Services,
    onGone: () => void,
  ) {
    panel.title = vscode.l10n.t("Erosion: {0}", problem);
    const icon = (theme: string): vscode.Uri =>
      vscode.Uri.joinPath(services.context.extensionUri, "media", `plot-${theme}.svg`);
    panel.iconPath = { light: icon("light"), dark: icon("dark") };
    panel.webview.options = { enableScripts: true, localResourceRoots: [webviewRoot(services)] };
    panel.webview.html = webviewPage(panel.webview, webviewRoot(services), {
      ...{ name: "plot", title: vscode.l10n.t("Erosion") },
      data: { problem },
    });
    const stop = services.library.onDidChange(() => {
      this.update();
    });
    this.subscriptions = vscode.Disposable.from(
      { dispose: stop },
      panel.webview.onDidReceiveMessage((message: ToPlotHost) =>
        services.errors.guard("Erosion plot", () => this.receive(message)),
      ),
      panel.onDidChangeViewState(() => {
        // A page that is hidden is gone; it says when it is there again, and what is told to it before is lost.
        if (!panel.visible) this.ready = false;
      }),
      panel.onDidDispose(() => {
        this.dispose();
        onGone();
      }),
    );
  }

  /** Brings the panel to the front. */
  reveal(): void {
    this.panel.reveal();
  }

  /** Shows two runs head to head, by their folders. */
  async compare(a: string, b: string): Promise<void> {
    const idOf = (folder: string): string => `${folder}#${this.problem}`;
    this.awaited = { type: "show-comparison", a: idOf(a), b: idOf(b) };
    await this.sendAwaited();
  }

  /** Moves the page's selection to a checkpoint of a run. */
  private async select(folder: string, order: number): Promise<void> {
    await this.send({ type: "select", selection: { series: `${folder}#${this.problem}`, order } });
  }

  /** Shows how the mass of a callable grew. @param callable its path and qualified name, `a.py#main` */
  async follow(folder: string, order: number, callable: string): Promise<void> {
    const selection = { series: `${folder}#${this.problem}`, order };
    this.awaited = { type: "follow", selection, callable };
    await this.sendAwaited();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.closed.abort();
    this.subscriptions.dispose();
  }

  private update(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.sendData();
    }, UPDATE_MS);
  }

  private async sendData(): Promise<void> {
    if (!this.ready) return;
    this.measure();
    const data = erosionSeries(this.problem, this.services.library.state.runs);
    const signature = JSON.stringify(data);
    if (signature !== this.shown) {
      this.shown = signature;
      await this.send({ type: "data", data });
    }
    await this.followPlay();
  }

  /** The selection goes where the Play view is. */
  private async followPlay(): Promise<void> {
    const { played } = this.services.library.state;
    if (played === this.played) return;
    this.played = played;
    const entry = runsOf(this.services.library.state, this.problem).find(
      ({ run }) => run.folder === played?.run,
    );
    const turn = entry?.part.turns.find(({ id }) => id === played?.turn);
    if (entry !== undefined && turn !== undefined) await this.select(entry.run.folder, turn.order);
  }

  /** Turns without measures get them in the background, and the plot follows the library. */
  private measure(): void {
    const parts = runsOf(this.services.library.state, this.problem);
    this.services.measures.ask(
      parts.flatMap(({ part }) => part.turns),
      this.closed.signal,
    );
  }

  private async sendAwaited(): Promise<void> {
    const { awaited } = this;
    if (!this.ready || awaited === undefined) return;
    this.awaited = undefined;
    await this.send(awaited);
  }

  private async send(message: ToPlotPage): Promise<void> {
    if (this.ready) await this.panel.webview.postMessage(message);
  }

  private async receive(message: ToPlotHost): Promise<void> {
    switch (message.type) {
      case "ready":
        this.ready = true;
        this.shown = "";
        await this.sendData();
        await this.sendAwaited();
        break;
      case "selected":
        this.services.library.select(folderOf(message.selection));
        break;
      case "open-checkpoint":
        await this.call(INTERNAL_COMMANDS.openCheckpoint, message.selection);
        break;
      case "compare-with-previous":
        await this.call(COMMANDS.compareWithPrevious, message.selection);
        break;
      case "compare":
      case "diff-snapshots":
      case "list-differences":
        await this.answerPair(message.type, message.pair);
        break;
      case "copy":
        await vscode.env.clipboard.writeText(message.text);
        vscode.window.setStatusBarMessage(vscode.l10n.t("Slop Lens: copied"), 2000);
        break;
      case "save":
        await savePicture(message);
        break;
    }
  }

  private async call(command: string, selection: PlotSelection): Promise<void> {
    const target = this.target(selection);
    if (target !== undefined) await vscode.commands.executeCommand(command, target);
  }

  /** What is asked about two runs at a checkpoint. */
  private async answerPair(
    asked: "compare" | "diff-snapshots" | "list-differences",
    pair: Comparison,
  ): Promise<void> {
    const [a, b] = [pair.a, pair.b].map((series) => this.found({ series, order: pair.order }));
    if (asked === "compare") {
      const result = a && b && headToHead(a.turn.outcomes, b.turn.outcomes);
      await this.send({ type: "compared", pair, result });
    } else if (a === undefined || b === undefined) return;
    else if (asked === "diff-snapshots") {
      const names = [a, b].map(({ run }) => attemptLabel(run)).join(" → ");
      await openChanges(this.services.turnFiles, a.turn, b.turn, `${a.turn.checkpoint}: ${names}`);
    } else await showDifferences(this.services.documents, a, b);
  }

  private found({ series, order }: PlotSelection): (RunPart & { readonly turn: Turn }) | undefined {
    const parts = runsOf(this.services.library.state, this.problem);
    const entry = parts.find(({ run }) => run.folder === folderOf({ series }));
    const turn = entry?.part.turns.find((candidate) => candidate.order === order);
    return entry && turn && { ...entry, turn };
  }

  private target(selection: PlotSelection): CheckpointTarget | undefined {
    const { state } = this.services.library;
    const entry = this.found(selection);
    if (entry === undefined) return undefined;
    const { turn } = entry;
    const problem = problemNamed(state, this.problem, entry.run.folder);
    return {
      kind: "checkpoint",
      name: turn.checkpoint,
      problem,
      checkpoint: problem?.checkpoints.find(({ name }) => name === turn.checkpoint),
      run: entry.run,
      turn,
      previous: previousTurn(entry.part, turn),
    };
  }
}

/** The run folder in a series' id, `<run folder>#<problem>`. */
function folderOf({ series }: Pick<PlotSelection, "series">): string {
  return series.slice(0, series.lastIndexOf("#"));
}

/** Asks for a place; its ending decides whether pixels or vectors are kept. */
async function savePicture({ name, png, svg }: Extract<ToPlotHost, { type: "save" }>): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    filters: { [vscode.l10n.t("PNG picture")]: ["png"], [vscode.l10n.t("SVG picture")]: ["svg"] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, `${name}.png`) }),
  });
  if (uri === undefined) return;
  const content = uri.path.toLowerCase().endsWith(".svg") ? Buffer.from(svg) : Buffer.from(png, "base64");
  await vscode.workspace.fs.writeFile(uri, content);
}

/** Creates the empty panel that a `PlotPanel` fills. */
export function createPanel(services: Services): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(PLOT_PANEL, vscode.l10n.t("Erosion"), vscode.ViewColumn.Active, {
    enableScripts: true,
    localResourceRoots: [webviewRoot(services)],
  });
}
