/** What the page keeps of itself over reloads. Its host finds the transcript by `folder`. */
export interface PageState {
  readonly folder: string;
  /** Keys of the parts that are unfolded. */
  readonly open: readonly string[];
  /** The first message in sight, 0-based. */
  readonly top: number;
}
