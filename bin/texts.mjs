// Checks the texts in locales/, writes the types of their keys and parameters, and lists what has no translation, which is shown
// in English. Run by `npm run check` and `npm run dev`.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listTexts } from '../server/platform/i18n/compile-texts.ts';
import { root } from './bootstrap.mjs';

const folder = join(root, 'locales');
const typesFile = join(folder, 'keys.d.ts');
const maxListed = 20;

/** Returns the files of a language by their path in its folder, such as those in its folder `client`. */
export function readFiles(language, part = '*') {
  const paths = globSync(`${part}/*.json`, { cwd: join(folder, language) }).toSorted();
  return new Map(paths.map((path) => [path, JSON.parse(readFileSync(join(folder, language, path), 'utf8'))]));
}

/** Returns the languages of locales/. */
export const listLanguages = () =>
  globSync('*/', { cwd: folder })
    .map((path) => basename(path))
    .toSorted();

/**
 * Compares the files of a language with those of English. Returns the names of missing texts, and descriptions of what is
 * wrong. A plural has all forms of the language: a name for each.
 */
export function compareTexts(language, files, english) {
  const missing = [];
  const wrong = [];
  for (const path of new Set([...english.keys(), ...files.keys()])) {
    const expected = listExpected(language, english.get(path) ?? {});
    const texts = new Map(listTexts(files.get(path) ?? {}));
    missing.push(...[...expected.keys()].filter((name) => !texts.get(name)));
    for (const [name, text] of texts) {
      const problem = describeProblem(name, text, expected.get(name));
      if (problem !== undefined) wrong.push(`locales/${language}/${path}: ${name} ${problem}`);
    }
  }
  return { missing, wrong };
}

/** Returns the keys of English texts that are in several files. */
export function listRepeated(english) {
  const keys = [...english.values()].flatMap((file) => [...groupForms(file).keys()]);
  return keys.filter((key, index) => keys.indexOf(key) !== index);
}

function describeProblem(name, text, parameters) {
  if (parameters === undefined) return 'is no text of English, or no plural form of the language';
  if (text === '') return undefined;
  if (/[{}]/.test(text.replaceAll(/\{\{\w+\}\}/g, ''))) return 'has a brace that is no part of {{name}}';
  const found = parametersOf(text);
  const unknown = found.find((parameter) => !parameters.names.includes(parameter));
  if (unknown !== undefined) return `has the unknown parameter ${unknown}`;
  // A form such as "one" may have the number in words.
  const isOptional = (parameter) => parameters.isPlural && (parameter === 'count' || !name.endsWith('_other'));
  const lost = parameters.names.find((parameter) => !found.includes(parameter) && !isOptional(parameter));
  return lost === undefined ? undefined : `lacks the parameter ${lost}`;
}

/** Returns the parameters of all texts that a language should have, by their names in its file. */
function listExpected(language, english) {
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  return new Map(
    [...groupForms(english)].flatMap(([key, { isPlural, names }]) =>
      (isPlural ? categories.map((category) => `${key}_${category}`) : [key]).map((name) => [
        name,
        { isPlural, names },
      ]),
    ),
  );
}

/** Returns the texts of a file by key, with all parameters of their forms. */
function groupForms(file) {
  const groups = new Map();
  for (const [name, text] of listTexts(file)) {
    const [, plural] = /^(.+)_(?:zero|one|two|few|many|other)$/.exec(name) ?? [];
    const names = [...(groups.get(plural)?.names ?? []), ...(plural ? ['count'] : []), ...parametersOf(text)];
    groups.set(plural ?? name, { isPlural: plural !== undefined, names: [...new Set(names)] });
  }
  return groups;
}

const parametersOf = (text) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);

/** Returns members of a type: the names of parameters by key. */
function describeKeys(files) {
  const keys = new Map([...files.values()].flatMap((file) => [...groupForms(file)]));
  return [...keys].map(([key, { names: parameters }]) => {
    const names = parameters.map((name) => `'${name}'`);
    return `  '${key}': ${names.join(' | ') || 'never'};\n`;
  });
}

function writeTypes() {
  const client = readFiles('en', 'client');
  const names = [...client.keys()].map((path) => `'${basename(path, '.json')}'`);
  const types = `// Written by bin/texts.mjs from locales/en.

/** The files of texts for the web client. */
export type ClientPart = ${names.join(' | ')};

/** The names of the parameters of each text that the web client uses. */
export interface ClientTexts {
${describeKeys(client).join('')}}

/** The names of the parameters of each text. */
export interface ServerTexts extends ClientTexts {
${describeKeys(readFiles('en', 'server')).join('')}}
`;
  if (!existsSync(typesFile) || readFileSync(typesFile, 'utf8') !== types) writeFileSync(typesFile, types);
}

if (import.meta.main) {
  const english = readFiles('en');
  writeTypes();
  const compared = listLanguages().map((language) => [language, compareTexts(language, readFiles(language), english)]);
  for (const [language, { missing }] of compared) {
    if (missing.length === 0) continue;
    const listed = missing.slice(0, maxListed).join(', ') + (missing.length > maxListed ? ', …' : '');
    console.log(`locales/${language} lacks ${missing.length} texts, which are shown in English: ${listed}`);
  }
}
