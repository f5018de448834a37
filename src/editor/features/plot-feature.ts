import * as vscode from "vscode";
import { callableId } from "../../core/report/follow-callable.js";
import { SlopLensError } from "../../core/model/errors.js";
import { COMMANDS, INTERNAL_COMMANDS, PLOT_PANEL } from "../ids.js";
import { turnOfFile } from "../library/state.js";
import { createPanel, PlotPanel } from "../plot/host.js";
import type { Feature, Services } from "../services.js";
import { registerCommands } from "./commands.js";
import { callableOf, problemOf, targetOf } from "./targets.js";

const REMEMBERED = "slopLens.plot.problem";

/** Show Erosion Plot: one panel a problem, which comes back when the window is opened again. */
export const plotFeature: Feature = (services) => {
  const panels = new Map<string, PlotPanel>();
  const fill = async (panel: vscode.WebviewPanel, problem: string): Promise<void> => {
    panels.set(
      problem,
      new PlotPanel(panel, problem, services, () => {
        panels.delete(problem);
      }),
    );
    await services.context.workspaceState.update(REMEMBERED, problem);
  };
  const show = async (value: unknown): Promise<void> => {
    const problem =
      typeof value === "string" ? value : (problemOf(targetOf(value)) ?? (await choose(services)));
    if (problem === undefined) return;
    await open(problem);
  };
  const open = async (problem: string): Promise<PlotPanel | undefined> => {
    const known = panels.get(problem);
    if (known === undefined) await fill(createPanel(services), problem);
    else known.reveal();
    return panels.get(problem);
  };
  const follow = async (value: unknown, name: unknown): Promise<void> => {
    const callable = callableOf(value, name);
    const uri = callable && vscode.Uri.parse(callable.file, true);
    const found = uri?.scheme === "file" ? turnOfFile(services.library.state, uri.fsPath) : undefined;
    if (callable === undefined || found === undefined) return;
    const { run, part, turn, path } = found;
    const panel = await open(part.problem);
    await panel?.follow(run.folder, turn.order, callableId({ path, qualifiedName: callable.qualifiedName }));
  };
  return vscode.Disposable.from(
    registerCommands(services.errors, {
      [COMMANDS.showErosionPlot]: show,
      [INTERNAL_COMMANDS.showComparison]: async (problem, a, b) => {
        if (typeof problem !== "string" || typeof a !== "string" || typeof b !== "string") return;
        const panel = await open(problem);
        await panel?.compare(a, b);
      },
      [COMMANDS.followInPlot]: follow,
    }),
    vscode.window.registerWebviewPanelSerializer(PLOT_PANEL, {
      deserializeWebviewPanel: async (panel) => {
        const problem = services.context.workspaceState.get<string>(REMEMBERED);
        if (problem === undefined) panel.dispose();
        else await fill(panel, problem);
      },
    }),
    {
      dispose: () => {
        for (const panel of panels.values()) panel.dispose();
      },
    },
  );
};

/** The problem of the selected run, the only one with runs, or the one that the user picks. */
async function choose({ library }: Services): Promise<string | undefined> {
  const { runs, selectedRun } = library.state;
  const names = (list: typeof runs): string[] => [
    ...new Set(list.flatMap((run) => run.problems.map(({ problem }) => problem))),
  ];
  const selected = names(runs.filter((run) => run.folder === selectedRun));
  if (selected.length === 1) return selected[0];
  const all = names(runs);
  if (all.length === 0) {
    throw new SlopLensError(
      "bad-input",
      vscode.l10n.t("No runs to plot"),
      vscode.l10n.t("Run a trajectory or open a run folder."),
    );
  }
  const title = vscode.l10n.t("Show Erosion Plot");
  return all.length === 1 ? all[0] : vscode.window.showQuickPick(all, { title });
}
