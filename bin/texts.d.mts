import type { TextFile } from '../server/platform/i18n/compile-texts.ts';

type Files = ReadonlyMap<string, TextFile>;

export function readFiles(language: string, part?: 'client' | 'server'): Files;
export function listLanguages(): string[];
export function compareTexts(language: string, files: Files, english: Files): { missing: string[]; wrong: string[] };
export function listRepeated(english: Files): string[];
