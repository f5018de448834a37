/** Builds the command into `dist`. */
export function setup(): Promise<void>;
