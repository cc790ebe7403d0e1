import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { compileTexts, type TextFile } from '../server/platform/i18n/compile-texts.ts';
import type { Plural, Text } from '../server/platform/i18n/fill-text.ts';
import { textDirection } from '../server/platform/i18n/locales.ts';

/** Compiles files of locales/ for the client. A text without translation is in English. */
export const compileTextFiles: Plugin = {
  name: 'compile-text-files',
  enforce: 'pre',
  transform: {
    filter: { id: /\/locales\/[^/]+\/client\/[^/]+\.json$/ },
    handler(_code, id) {
      this.addWatchFile(englishOf(id));
      return JSON.stringify(compileFile(id));
    },
  },
};

const englishOf = (path: string): string => path.replace(/\/locales\/[^/]+\//, '/locales/en/');

/** Returns the texts of a file by domain and name. */
export function compileFile(path: string): Record<string, Record<string, Text | Plural>> {
  const [, language = ''] = /\/locales\/([^/]+)\//.exec(path) ?? [];
  const files = [englishOf(path), path].map((file) => readTexts(file, textDirection(language) === 'rtl'));
  const domains: Record<string, Record<string, Text | Plural>> = {};
  for (const [key, text] of compileTexts(files)) {
    const dot = key.indexOf('.');
    (domains[key.slice(0, dot)] ??= {})[key.slice(dot + 1)] = text;
  }
  return domains;
}

/**
 * Reads a file. For a right-to-left language each parameter is isolated, together with an "@" or "#" before it, so that handles
 * and domains keep their order.
 */
function readTexts(path: string, isRightToLeft: boolean): TextFile {
  const content = readFileSync(path, 'utf8');
  const isolated = isRightToLeft ? content.replaceAll(/([@#]?\{\{\w+\}\})/g, '\u2068$1\u2069') : content;
  return JSON.parse(isolated) as TextFile;
}
