/** The page: keeps data and state, draws the parts, speaks with its host. */
import "../texts.js";
import * as l10n from "@vscode/l10n";
import type { PlotData, PlotSelection, ToPlotHost, ToPlotPage } from "../../src/core/report/plot-protocol.js";
import { toCsv } from "./csv.js";
import { detailsOf } from "./details.js";
import { element, keepingFocus } from "../dom.js";
import { legend } from "./legend.js";
import { LinesView } from "./lines-view.js";
import { massView } from "./mass-view.js";
import { isLines, MASS_VIEW, VERDICTS_VIEW } from "./metrics.js";
import { savedView } from "./saving.js";
import "../base.css";
import "./plot.css";
import {
  comparing,
  type DrawnSeries,
  drawnRuns,
  drawnSeries,
  effectiveSelection,
  following,
  INITIAL_STATE,
  moveSelection,
  type PageState,
} from "./selection.js";
import { dataTable } from "./table.js";
import { onThemeChange } from "./theme.js";
import { toolbar } from "./toolbar.js";
import { verdictRows } from "./verdicts.js";
import { VerdictsView } from "./verdicts-view.js";
import { withSelection, zoomAfter } from "./zoom.js";

interface Host {
  postMessage(message: ToPlotHost): void;
  getState(): PageState | undefined;
  setState(state: PageState): void;
}
declare function acquireVsCodeApi(): Host;

class PlotPage {
  private data: PlotData | undefined;
  private state: PageState;
  private hovered: PlotSelection | undefined;
  private readonly bar = element("div");
  private readonly key = element("div");
  private readonly mass = element("div");
  private readonly verdicts: VerdictsView;
  private readonly lines: LinesView;
  private readonly table = element("div", {
    class: "table",
    tabindex: "0",
    role: "region",
    "aria-label": l10n.t("Runs over checkpoints"),
  });
  private readonly message = element("p", { class: "message", role: "status" });
  private readonly details = element("aside", {
    "aria-live": "polite",
    "aria-label": l10n.t("Selected checkpoint"),
  });
  private readonly plot = element("section", { class: "plot", tabindex: "0", role: "group" });
  private readonly body = element("div", { class: "body" }, this.plot, this.table, this.details);

  constructor(
    private readonly root: HTMLElement,
    private readonly host: Host,
  ) {
    this.state = { ...INITIAL_STATE, ...host.getState() };
    this.verdicts = new VerdictsView({
      onChange: (part) => {
        this.change(part);
      },
      onOpen: (selection) => {
        this.open(selection);
      },
      post: (message) => {
        host.postMessage(message);
      },
    });
    this.lines = new LinesView({
      onHover: (hovered) => {
        this.hover(hovered);
      },
      onClick: (selection) => {
        this.open(selection);
      },
      onZoom: (zoom) => {
        this.change({ zoom });
      },
    });
    this.plot.append(this.mass, this.verdicts.root, ...this.lines.parts);
    root.append(this.bar, this.key, this.message, this.body);
    document.addEventListener("keydown", (event) => {
      this.onKey(event);
    });
    onThemeChange(() => {
      this.render();
    });
  }

  receive(message: ToPlotPage): void {
    switch (message.type) {
      case "data":
        this.data = message.data;
        this.verdicts.forget();
        break;
      case "select":
        this.change({ selection: message.selection });
        return;
      case "show-comparison":
        this.change(comparing(this.state, message));
        return;
      case "compared":
        this.verdicts.take(message.pair, message.result);
        return;
      case "follow":
        this.change(following(this.state, message.selection, message.callable));
        return;
    }
    this.render();
  }

  private change(part: Partial<PageState>): void {
    this.state = { ...this.state, ...part };
    if (part.selection) this.state = { ...this.state, zoom: withSelection(this.drawn(), this.state) };
    this.host.setState(this.state);
    this.render();
  }

  private select(selection: PlotSelection): void {
    this.change({ selection });
    this.host.postMessage({ type: "selected", selection });
  }

  private open(selection: PlotSelection): void {
    this.select(selection);
    this.host.postMessage({ type: "open-checkpoint", selection });
  }

  private onKey(event: KeyboardEvent): void {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "t") this.toggleTable();
    if (document.activeElement === this.plot && this.onPlotKey(event)) event.preventDefault();
  }

  /** @returns whether the plot takes the key */
  private onPlotKey({ key, shiftKey }: KeyboardEvent): boolean {
    const drawn = this.drawn();
    const selection = effectiveSelection(drawn, this.state.selection);
    const moved = selection && moveSelection(drawn, selection, key);
    const zoomed = isLines(this.state) ? zoomAfter(key, drawn, this.state) : undefined;
    if (moved) this.select(moved);
    else if (zoomed) this.change(zoomed);
    else if (selection && key === "Enter") this.enter(selection, shiftKey);
    else return false;
    return true;
  }

  /** Enter opens the checkpoint; among the verdicts it makes the run B, with Shift A. */
  private enter(selection: PlotSelection, shifted: boolean): void {
    if (this.state.metric !== VERDICTS_VIEW) this.open(selection);
    else this.verdicts.choose(selection.series, shifted ? "a" : "b");
  }

  private toggleTable(): void {
    this.change({ view: this.state.view === "table" ? "chart" : "table" });
  }

  private drawn(): readonly DrawnSeries[] {
    if (!this.data) return [];
    if (this.state.metric !== VERDICTS_VIEW) return drawnSeries(this.data, this.state);
    return drawnRuns(this.data.series, verdictRows(this.data.series, this.state));
  }

  private render(): void {
    const { data } = this;
    if (!data) return;
    keepingFocus(this.root, () => {
      this.draw(data);
    });
  }

  private draw(data: PlotData): void {
    const drawn = this.drawn();
    const selection = effectiveSelection(drawn, this.state.selection);
    const view = this.state.view;
    this.renderToolbar(data, drawn);
    const empty =
      data.series.length === 0 ? [l10n.t("No runs to plot. Run a trajectory or open a run folder.")] : [];
    this.message.replaceChildren([...empty, ...data.faults].join(" "));
    this.message.hidden = empty.length + data.faults.length === 0;
    this.body.hidden = empty.length > 0;
    this.plot.hidden = view === "table";
    this.table.hidden = view !== "table";
    this.table.replaceChildren(...(view === "table" ? [dataTable(drawn)] : []));
    this.key.replaceChildren(
      legend(drawn, selection, data.references, (chosen) => {
        this.select(chosen);
      }),
    );
    const { metric } = this.state;
    this.mass.hidden = metric !== MASS_VIEW;
    this.verdicts.root.hidden = metric !== VERDICTS_VIEW;
    for (const part of this.lines.parts) part.hidden = !isLines(this.state);
    const isWide = metric === VERDICTS_VIEW || view === "table";
    this.key.hidden = metric === VERDICTS_VIEW;
    this.details.hidden = isWide;
    this.body.classList.toggle("wide", isWide);
    if (view === "chart" && drawn.length > 0) this.renderChart(data, drawn, selection);
    this.renderDetails(drawn, this.hovered ?? selection);
  }

  private renderChart(
    data: PlotData,
    drawn: readonly DrawnSeries[],
    selection: PlotSelection | undefined,
  ): void {
    if (this.state.metric === MASS_VIEW) this.renderMass(drawn, selection);
    else if (this.state.metric === VERDICTS_VIEW) this.renderVerdicts(drawn, selection);
    else
      this.plot.setAttribute("aria-label", this.lines.render({ data, drawn, selection, state: this.state }));
  }

  private renderToolbar(data: PlotData, drawn: readonly DrawnSeries[]): void {
    const open = [...this.bar.querySelectorAll("details")].filter((menu) => menu.open).map(({ id }) => id);
    const created = toolbar(data, drawn, this.state, {
      onChange: (part) => {
        this.change(part);
      },
      onToggleTable: () => {
        this.toggleTable();
      },
      onCopy: () => {
        this.host.postMessage({ type: "copy", text: toCsv(this.drawn()) });
      },
      onSave: () => {
        void this.save(data);
      },
      onResetZoom: () => {
        this.change({ zoom: undefined });
        this.plot.focus();
      },
    });
    for (const menu of created.querySelectorAll("details")) menu.open = open.includes(menu.id);
    this.bar.replaceChildren(created);
  }

  private renderMass(drawn: readonly DrawnSeries[], selection: PlotSelection | undefined): void {
    const run = drawn.find((candidate) => candidate.series.id === selection?.series);
    const series = run?.members.at(-1) ?? run?.series;
    if (!series) return;
    const created = massView(series, selection, this.state, {
      onFollow: (followed) => {
        this.change({ followed });
      },
      onSelect: (chosen) => {
        this.select(chosen);
      },
    });
    this.mass.replaceChildren(created);
    this.plot.setAttribute(
      "aria-label",
      created.querySelector("svg")?.getAttribute("aria-label") ?? l10n.t("Mass"),
    );
  }

  private renderVerdicts(drawn: readonly DrawnSeries[], selection: PlotSelection | undefined): void {
    const label = this.verdicts.render(drawn, selection, this.state);
    this.plot.setAttribute("aria-label", label);
  }

  /** The drawing of a view that is drawn in vectors. */
  private blocks(): SVGSVGElement | null {
    if (this.state.metric === VERDICTS_VIEW) return this.verdicts.picture;
    return this.state.metric === MASS_VIEW ? this.mass.querySelector("svg") : null;
  }

  private async save(data: PlotData): Promise<void> {
    const { state } = this;
    const [blocks, { images }] = [this.blocks(), this.lines];
    this.host.postMessage(await savedView({ data, drawn: this.drawn(), state, blocks, images }));
  }

  private hover(hovered: PlotSelection | undefined): void {
    if (hovered?.series === this.hovered?.series && hovered?.order === this.hovered?.order) return;
    this.hovered = hovered;
    const drawn = this.drawn();
    this.renderDetails(drawn, hovered ?? effectiveSelection(drawn, this.state.selection));
  }

  private renderDetails(drawn: readonly DrawnSeries[], selection: PlotSelection | undefined): void {
    keepingFocus(this.details, () => {
      this.details.replaceChildren(
        ...detailsOf(drawn, selection, (message) => {
          this.host.postMessage(message);
        }),
      );
    });
  }
}

const root = document.getElementById("app");
if (root) {
  const host = acquireVsCodeApi();
  const page = new PlotPage(root, host);
  window.addEventListener("message", (event: MessageEvent<ToPlotPage>) => {
    page.receive(event.data);
  });
  host.postMessage({ type: "ready" });
}
