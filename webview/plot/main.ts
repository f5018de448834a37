/** The page: keeps data and state, draws the parts, speaks with its host. */
import "../texts.js";
import * as l10n from "@vscode/l10n";
import type { PlotData, PlotSelection, ToPlotHost, ToPlotPage } from "../../src/core/report/plot-protocol.js";
import { toCsv } from "./csv.js";
import { detailsOf } from "./details.js";
import { element } from "../dom.js";
import { legend } from "./legend.js";
import { Panels } from "./panels.js";
import { massView } from "./mass-view.js";
import { MASS_VIEW, metricView, VERDICTS_VIEW } from "./metrics.js";
import { pictureOf, pixelsOf, standaloneSvg } from "./picture.js";
import "../base.css";
import "./plot.css";
import {
  type DrawnSeries,
  drawnSeries,
  effectiveSelection,
  failedOf,
  following,
  INITIAL_STATE,
  MOST_DRAWN,
  moveSelection,
  type PageState,
  pointAt,
} from "./selection.js";
import { failedTestsStrip } from "./strip.js";
import { spokenErosion } from "../spoken.js";
import { svgOf } from "./svg.js";
import { dataTable } from "./table.js";
import { onThemeChange, readTheme } from "./theme.js";
import { toolbar } from "./toolbar.js";
import { verdictRows } from "./verdicts.js";
import { VerdictsView } from "./verdicts-view.js";

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
  private panels: Panels | undefined;
  private readonly bar = element("div");
  private readonly key = element("div");
  private readonly mass = element("div");
  private readonly verdicts: VerdictsView;
  private readonly metrics = element("div", { class: "metrics" });
  private readonly strip = element("div");
  private readonly groups = element("div", { class: "groups" });
  private readonly table = element("div", { class: "table" });
  private readonly message = element("p", { class: "message", role: "status" });
  private readonly details = element("aside", {
    "aria-live": "polite",
    "aria-label": l10n.t("Selected checkpoint"),
  });
  private readonly plot = element("section", { class: "plot", tabindex: "0", role: "group" });
  private readonly body = element("div", { class: "body" }, this.plot, this.table, this.details);

  constructor(
    root: HTMLElement,
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
    this.plot.append(this.mass, this.verdicts.root, this.metrics, this.strip, this.groups);
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
        this.change({ metric: VERDICTS_VIEW, view: "chart", a: message.a, b: message.b, order: undefined });
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
    if (document.activeElement !== this.plot) return;
    const drawn = this.drawn();
    const selection = effectiveSelection(drawn, this.state.selection);
    if (!selection) return;
    const moved = moveSelection(drawn, selection, event.key);
    if (moved) this.select(moved);
    else if (event.key === "Enter") this.enter(selection, event.shiftKey);
    else return;
    event.preventDefault();
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
    const rows = verdictRows(this.data.series, this.state);
    return rows.map((series, index) => ({ series, style: index % MOST_DRAWN, members: [] }));
  }

  private render(): void {
    const { data } = this;
    if (!data) return;
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
    const isLines = metricView(metric).metrics.length > 0;
    for (const part of [this.metrics, this.strip, this.groups]) part.hidden = !isLines;
    for (const part of [this.key, this.details]) part.hidden = metric === VERDICTS_VIEW;
    this.body.classList.toggle("wide", metric === VERDICTS_VIEW);
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
    else this.renderPlot(data, drawn, selection);
  }

  private renderToolbar(data: PlotData, drawn: readonly DrawnSeries[]): void {
    const open = [...this.bar.querySelectorAll("details")].filter((menu) => menu.open).map(({ id }) => id);
    const focused = document.activeElement?.className;
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
    });
    for (const menu of created.querySelectorAll("details")) menu.open = open.includes(menu.id);
    this.bar.replaceChildren(created);
    if (focused === "metric") created.querySelector("select")?.focus();
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
    const label = this.verdicts.render(
      drawn.map(({ series }) => series),
      selection,
      this.state,
    );
    this.plot.setAttribute("aria-label", label);
  }

  /** The drawing of a view that is drawn in vectors. */
  private blocks(): SVGSVGElement | null {
    if (this.state.metric === VERDICTS_VIEW) return this.verdicts.picture;
    return this.state.metric === MASS_VIEW ? this.mass.querySelector("svg") : null;
  }

  private async save(data: PlotData): Promise<void> {
    const { label, metrics } = metricView(this.state.metric);
    const title = l10n.t("{0}: {1}", label, data.problem);
    const theme = readTheme();
    const { references } = data;
    const blocks = this.blocks();
    const svg = blocks
      ? standaloneSvg(blocks, theme)
      : svgOf({ title, drawn: this.drawn(), references, theme, metrics, state: this.state });
    const png = blocks
      ? await pixelsOf(svg, theme)
      : pictureOf(this.panels?.images ?? { metrics: [], groups: [] }, title, theme);
    this.host.postMessage({ type: "save", name: `${data.problem}-${this.state.metric}`, png, svg });
  }

  private renderPlot(
    data: PlotData,
    drawn: readonly DrawnSeries[],
    selection: PlotSelection | undefined,
  ): void {
    const { metrics } = metricView(this.state.metric);
    const input = {
      ...{ drawn, selection, references: data.references },
      ...{ theme: readTheme(), metrics, state: this.state },
    };
    this.strip.replaceChildren(
      failedTestsStrip(drawn, selection, this.state.axis, (chosen) => {
        this.open(chosen);
      }),
    );
    if (this.panels) {
      this.panels.update(input);
    } else {
      this.panels = new Panels(this.metrics, this.groups, input, {
        onHover: (hovered) => {
          this.hover(hovered);
        },
        onClick: (chosen) => {
          this.open(chosen);
        },
      });
    }
    const label = plotLabel(drawn, selection);
    this.plot.setAttribute("aria-label", label);
    this.metrics.querySelector("canvas")?.setAttribute("aria-label", label);
  }

  private hover(hovered: PlotSelection | undefined): void {
    if (hovered?.series === this.hovered?.series && hovered?.order === this.hovered?.order) return;
    this.hovered = hovered;
    const drawn = this.drawn();
    this.renderDetails(drawn, hovered ?? effectiveSelection(drawn, this.state.selection));
  }

  private renderDetails(drawn: readonly DrawnSeries[], selection: PlotSelection | undefined): void {
    this.details.replaceChildren(
      ...detailsOf(drawn, selection, (message) => {
        this.host.postMessage(message);
      }),
    );
  }
}

function plotLabel(drawn: readonly DrawnSeries[], selection: PlotSelection | undefined): string {
  const checkpoints = Math.max(0, ...drawn.map(({ series }) => series.points.length));
  const overview = l10n.t("Erosion of {0} runs over {1} checkpoints.", drawn.length, checkpoints);
  const series = drawn.find((run) => run.series.id === selection?.series)?.series;
  const point = series && selection && pointAt(series, selection.order);
  if (!point) return overview;
  const before = pointAt(series, point.order - 1);
  const { failed, total } = failedOf(point);
  const erosion = spokenErosion(point.erosion, before?.erosion);
  const selected = l10n.t(
    "Selected: {0}, checkpoint {1}: {2}; {3} of {4} tests failed.",
    ...[series.label, point.order, erosion, failed, total],
  );
  return `${overview} ${selected}`;
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
