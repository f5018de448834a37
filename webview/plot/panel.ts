import {
  CategoryScale,
  Chart,
  type ChartConfiguration,
  type ChartDataset,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
} from "chart.js";
import type { PlotPoint, PlotSelection } from "../../src/core/report/plot-protocol.js";
import { PLOT_LEFT } from "./edges.js";
import { styleOf } from "./markers.js";
import { type Overlay, overlayPlugin } from "./references.js";
import type { DrawnSeries } from "./selection.js";
import type { Slot } from "./slots.js";
import type { Theme } from "./theme.js";

Chart.register(CategoryScale, LinearScale, LineController, LineElement, PointElement);

export interface PanelSpec {
  readonly value: (point: PlotPoint) => number | null;
  readonly max: number;
  readonly step: number;
  readonly tick: (value: number) => string;
  /** Room right of the axis, for end labels and model names. */
  readonly right: number;
  /** Whether columns have half a step of room at both ends. */
  readonly columns: boolean;
  readonly showX: boolean;
  readonly showY: boolean;
}

export interface PanelInput {
  readonly drawn: readonly DrawnSeries[];
  readonly slots: readonly Slot[];
  readonly selection: PlotSelection | undefined;
  readonly theme: Theme;
  readonly overlay: Overlay;
}

export interface PanelEvents {
  onHover(selection: PlotSelection | undefined): void;
  onClick(selection: PlotSelection): void;
}

function datasetOf(
  { series, style }: DrawnSeries,
  input: PanelInput,
  spec: PanelSpec,
): ChartDataset<"line", (number | null)[]> {
  const focused = series.id === input.selection?.series;
  const color = input.theme.runs[style] ?? input.theme.foreground;
  const { point, dash } = styleOf(style);
  return {
    data: input.slots.map((slot) => {
      const found = slot.pointOf(series);
      return found ? spec.value(found) : null;
    }),
    borderColor: focused ? color : `color-mix(in srgb, ${color} 75%, transparent)`,
    backgroundColor: color,
    borderWidth: focused ? 2.5 : 1.5,
    borderDash: [...dash],
    pointStyle: point,
    pointRadius: focused ? 4.5 : 3.2,
    pointHoverRadius: focused ? 5.5 : 4.5,
    pointBackgroundColor: color,
    pointBorderColor: input.theme.background,
    pointBorderWidth: 1,
    spanGaps: false,
    clip: 12,
    order: focused ? 0 : 1,
  };
}

/** One line chart over the checkpoints. Its canvas stays, its content follows `update`. */
export class Panel {
  private readonly chart: Chart<"line", (number | null)[]>;
  private input: PanelInput;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly spec: PanelSpec,
    input: PanelInput,
    private readonly events: PanelEvents,
  ) {
    this.input = input;
    this.chart = new Chart(canvas, this.configuration());
    canvas.addEventListener("mouseleave", () => {
      events.onHover(undefined);
    });
  }

  /** Draws other data or another theme at once, without animation. */
  update(input: PanelInput): void {
    this.input = input;
    const { data, options } = this.configuration();
    this.chart.data = data;
    if (options) this.chart.options = options;
    this.chart.update("none");
  }

  destroy(): void {
    this.chart.destroy();
  }

  get image(): HTMLCanvasElement {
    return this.canvas;
  }

  private configuration(): ChartConfiguration<"line", (number | null)[]> {
    const { spec, input } = this;
    return {
      type: "line",
      data: {
        labels: input.slots.map(({ label }) => label),
        datasets: input.drawn.map((drawn) => datasetOf(drawn, input, spec)),
      },
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        layout: { padding: { right: spec.right, top: 6 } },
        interaction: { mode: "nearest", intersect: true },
        onHover: (event, active) => {
          if (event.native?.target instanceof HTMLElement) {
            event.native.target.style.cursor = active.length > 0 ? "pointer" : "default";
          }
          this.events.onHover(this.selectionOf(active[0]));
        },
        onClick: (_event, active) => {
          const selection = this.selectionOf(active[0]);
          if (selection) this.events.onClick(selection);
        },
        scales: this.scales(),
      },
      plugins: [overlayPlugin(() => this.input.overlay)],
    };
  }

  private scales(): NonNullable<NonNullable<ChartConfiguration<"line">["options"]>["scales"]> {
    const { spec, input } = this;
    const font = { family: input.theme.font, size: 11 };
    return {
      x: {
        type: "category",
        offset: spec.columns,
        grid: { display: false },
        border: { display: false },
        ticks: {
          display: spec.showX,
          color: input.theme.dim,
          font,
          maxRotation: 0,
          callback: (_value, index) => this.xLabel(index),
        },
      },
      y: {
        min: 0,
        max: spec.max,
        afterFit: (axis) => {
          axis.width = spec.showY ? PLOT_LEFT : 4;
        },
        grid: { color: input.theme.grid, drawTicks: false },
        border: { display: false },
        ticks: {
          stepSize: spec.step,
          color: input.theme.dim,
          font,
          padding: 8,
          callback: (value) => (spec.showY ? spec.tick(Number(value)) : ""),
        },
      },
    };
  }

  private xLabel(index: number): string {
    const slot = this.input.slots[index];
    if (slot === undefined) return "";
    if (this.spec.columns) return index === 0 ? slot.title : slot.label;
    return index === 0 || index === this.input.slots.length - 1 ? slot.label : "";
  }

  private selectionOf(
    element: { datasetIndex: number; index: number } | undefined,
  ): PlotSelection | undefined {
    const series = element && this.input.drawn[element.datasetIndex]?.series;
    const point = series && this.input.slots[element.index]?.pointOf(series);
    return point ? { series: series.id, order: point.order } : undefined;
  }
}
