/** Left edge and right margin that all panels and the strip share, in pixels; the style sheet repeats them. */
export const PLOT_LEFT = 44;
export const PLOT_RIGHT = 138;
