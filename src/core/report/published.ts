import type { PlotReferences, Reference } from "./plot-protocol.js";
import figures from "./published-figures.json";

/** Figures of the SlopCodeBench paper that stand beside a run's own: the human panel, the models, the slopes. */
export function publishedReferences(): PlotReferences {
  const { humanPanel, models, slopesPerCheckpoint } = figures;
  return {
    human: {
      repositories: humanPanel.all.repositories,
      erosion: reference(humanPanel.all.erosion),
      verbosity: reference(humanPanel.all.verbosity),
    },
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
