export const TRANSCRIPT_OUTPUTS = ["text", "json", "atif"] as const;

export interface TranscriptOptions {
  readonly format: (typeof TRANSCRIPT_OUTPUTS)[number];
}
