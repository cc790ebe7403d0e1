import { locale } from '../i18n/translate.tsx';
import { instance } from '../session/session.ts';
import type { Option } from './controls.tsx';

/** Returns the name of a language in itself: Deutsch. */
export const ownName = (code: string): string =>
  new Intl.DisplayNames(code, { type: 'language', fallback: 'code' }).of(code) ?? code;

/** Returns the languages of posts with their names in the language of the client, sorted by name. */
export function languageOptions(): readonly Option<string>[] {
  const names = new Intl.DisplayNames(locale.value, { type: 'language', fallback: 'code' });
  const preferred = instance.value?.languages ?? [];
  const codes = new Set([...preferred, ...commonLanguages]);
  return [...codes]
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((a, b) => a.label.localeCompare(b.label, locale.value));
}

const commonLanguages =
  'af ar be bg bn br ca cs cy da de el en eo es et eu fa fi fr fy ga gd gl gu he hi hr hu hy id is it ja ka kk km kn ko lb lt lv mk ml mn mr ms my nb ne nl nn oc pa pl pt ro ru sc si sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh'.split(
    ' ',
  );
