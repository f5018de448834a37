export type Texts = Readonly<Record<string, string>>;

export const englishFile: string;
export function textsInSources(): Promise<Texts>;
export function languages(): string[];
export function translationOf(language: string): Texts;
export function manifestTexts(language?: string): Texts;
export function readTexts(file: string): Texts;
export function faultsOf(english: Texts, translated: Texts): string[];
