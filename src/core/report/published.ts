import type { PlotReferences, Reference } from "./plot-protocol.js";
import figures from "./published-figures.json";

/** Figures of the SlopCodeBench paper that stand beside a run's own: the human panel, the models, the slopes. */
export function publishedReferences(): PlotReferences {
  const { humanPanel, models, slopesPerCheckpoint } = figures;
  return {
    humans: [{ tier: "Human panel", ...humanPanel.all }, ...humanPanel.tiers].map((panel) => ({
      name: panel.tier,
      repositories: panel.repositories,
      erosion: reference(panel.erosion),
      verbosity: reference(panel.verbosity),
    })),
    models: models.map(({ name, erosion, verbosity }) => ({
      name,
      erosion: erosion.mean,
      verbosity: verbosity.mean,
    })),
    slopes: slopesPerCheckpoint,
  };
}

function reference({ mean, sd }: Reference): Reference {
  return { mean, sd };
}
