/** The chosen view as a file: in pixels and in vectors, of which the user takes one. */
import * as l10n from "@vscode/l10n";
import type { PlotData, ToPlotHost } from "../../src/core/report/plot-protocol.js";
import { metricView } from "./metrics.js";
import { pictureOf, pixelsOf, type PlotImages, standaloneSvg } from "./picture.js";
import type { DrawnSeries, PageState } from "./selection.js";
import { svgOf } from "./svg.js";
import { readTheme } from "./theme.js";

export interface SavedView {
  readonly data: PlotData;
  readonly drawn: readonly DrawnSeries[];
  readonly state: PageState;
  /** The drawing of a view that is drawn in vectors. */
  readonly blocks: SVGSVGElement | null;
  /** What stands in its place otherwise. */
  readonly images: PlotImages;
}

/** @returns what the host is asked to save */
export async function savedView({ data, drawn, state, blocks, images }: SavedView): Promise<ToPlotHost> {
  const { label, metrics } = metricView(state.metric);
  const title = l10n.t("{0}: {1}", label, data.problem);
  const theme = readTheme();
  const { references } = data;
  const svg = blocks
    ? standaloneSvg(blocks, theme)
    : svgOf({ title, drawn, references, theme, metrics, state });
  const png = blocks ? await pixelsOf(svg, theme) : pictureOf(images, title, theme);
  return { type: "save", name: `${data.problem}-${state.metric}`, png, svg };
}
