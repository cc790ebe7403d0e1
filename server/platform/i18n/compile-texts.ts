import type { Plural, Text } from './fill-text.ts';

/** A file of locales/, in version 4 of the JSON format of i18next: a plural has a name for each form, such as `posts_one`. */
export interface TextFile {
  readonly [name: string]: string | TextFile;
}

/** Texts by their key, which is `domain.name`. */
export type Texts = ReadonlyMap<string, Text | Plural>;

/** Returns the texts of files, ready to be filled. What is empty or has no form `other` is not translated, and left out. */
export function compileTexts(files: readonly TextFile[]): Texts {
  const plurals = new Map<string, Partial<Record<Intl.LDMLPluralRule, string>>>();
  const texts = new Map<string, Text | Plural>();
  for (const [key, text] of files.flatMap((file) => listTexts(file))) {
    const [, name, category] = /^(.+)_(zero|one|two|few|many|other)$/.exec(key) ?? [];
    if (text === '') continue;
    if (name === undefined) texts.set(key, splitText(text));
    else plurals.set(name, { ...plurals.get(name), [category as Intl.LDMLPluralRule]: text });
  }
  for (const [key, { other, ...forms }] of plurals) {
    if (other === undefined) continue;
    const different = Object.entries(forms).filter(([, form]) => form !== other);
    const compiled = different.map(([category, form]) => [category, splitText(form)] as const);
    texts.set(
      key,
      compiled.length === 0 ? splitText(other) : { ...Object.fromEntries(compiled), other: splitText(other) },
    );
  }
  return texts;
}

/** Returns the texts of a file by key, unchanged. */
export const listTexts = (file: TextFile, prefix = ''): (readonly [key: string, text: string])[] =>
  Object.entries(file).flatMap(([name, value]) =>
    typeof value === 'string' ? [[prefix + name, value] as const] : listTexts(value, `${prefix}${name}.`),
  );

function splitText(text: string): Text {
  const parts = text.split(/\{\{(\w+)\}\}/);
  return parts.length === 1 ? text : parts;
}
