import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readSource, sourceFiles } from './layers.ts';
import { parse } from './syntax.ts';
import { collectUsage, isUsed } from './texts.ts';
import { literalTextsOfJsx } from './web-texts.ts';

type Text = string | Readonly<Record<string, string>>;
type Part = Readonly<Record<string, Readonly<Record<string, Text>>>>;

const root = join(import.meta.dirname, '..', '..');
const catalogueFiles = globSync('web/src/i18n/*/*.ts', { cwd: root });
const languages = [...new Set(catalogueFiles.map((file) => basename(dirname(file))))];

/** Returns the texts of a language by key. */
async function loadTexts(language: string): Promise<ReadonlyMap<string, Text>> {
  const files = catalogueFiles.filter((file) => basename(dirname(file)) === language);
  const modules = await Promise.all(files.map((file) => import(join(root, file)) as Promise<Record<string, Part>>));
  return new Map(
    modules
      .flatMap((module) => Object.values(module))
      .flatMap((part) => Object.entries(part))
      .flatMap(([domain, texts]) => Object.entries(texts).map(([name, text]) => [`${domain}.${name}`, text] as const)),
  );
}

const sources = globSync('web/src/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts') && !catalogueFiles.includes(file))
  .map((file) => parse(file, readFileSync(join(root, file), 'utf8')));
const english = await loadTexts('en');

const holesOf = (text: Text): string[] => {
  const forms = typeof text === 'string' ? [text] : Object.values(text);
  return [...new Set(forms.flatMap((form) => form.match(/\{\w+\}/g) ?? []))].toSorted();
};

test('every text of the web client is used', () => {
  // The types of the client, such as states that are a part of keys, come from the schemas of the server.
  const schemas = sourceFiles.filter((file) => file.endsWith('/schema.ts'));
  const usage = collectUsage([...sources, ...schemas.map((file) => parse(file, readSource(file)))]);
  expect(english.size).toBeGreaterThan(50);
  expect([...english.keys()].filter((key) => !isUsed(usage, key))).toEqual([]);
});

test('components contain no text, only keys of the catalogue', () => {
  const findings = sources.flatMap((source) =>
    literalTextsOfJsx(source).map(({ line, text }) => `${source.path}:${line}: ${text}`),
  );
  expect(findings).toEqual([]);
});

test.each(languages)(
  '%s has the texts of English with the same parameters, and the plural forms of the language',
  async (language) => {
    const texts = await loadTexts(language);
    expect([...texts.keys()].toSorted()).toEqual([...english.keys()].toSorted());
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    for (const [key, text] of texts) {
      const original = english.get(key) ?? '';
      expect(typeof text, key).toBe(typeof original);
      // A plural form such as "one" may name the number in words.
      const holes = holesOf(original);
      expect(
        holes.filter((hole) => hole !== '{count}'),
        key,
      ).toEqual(holesOf(text).filter((hole) => hole !== '{count}'));
      if (typeof text !== 'string')
        expect(Object.keys(text), key).toEqual(expect.arrayContaining(pluralForms(categories)));
    }
  },
);

/** "many" of Romance languages is for millions, which "other" covers. */
const pluralForms = (categories: readonly string[]): string[] =>
  categories.length > 4 ? [...categories] : categories.filter((category) => category !== 'many');

test.each([
  ['<p>Sign in</p>', ['Sign in']],
  ['<img alt="A cat" />', ['A cat']],
  ['<p>{isOpen ? "Open" : t("app.close")}</p>', ['Open']],
  ['<p title={t("app.close")}>{count} · {name}</p>', []],
  ['<Dialog size="small">{t("app.close")}</Dialog>', []],
])('%s contains %j', (code, texts) => {
  expect(literalTextsOfJsx(parse('planted.tsx', `const a = ${code};`)).map(({ text }) => text)).toEqual(texts);
});
