import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html } from '../http/html.ts';
import { forbidden, invalidField, validationFailed } from '../http/http-errors.ts';
import { de } from './de/index.ts';
import { en } from './en/index.ts';
import { chooseLocale, locales, negotiateLanguage } from './locales.ts';
import { message, stringifyLocalized, verbatim } from './message.ts';
import { translator } from './translator.ts';

type Texts = Readonly<Record<string, Readonly<Record<string, string | { one: string; other: string }>>>>;

function listTexts(catalogue: Texts): [key: string, holes: string[]][] {
  return Object.entries(catalogue).flatMap(([domain, texts]) =>
    Object.entries(texts).map(([name, text]): [string, string[]] => {
      const forms = typeof text === 'string' ? [text] : [text.one, text.other];
      expect(forms, `${domain}.${name}`).not.toContain('');
      const holes = forms.flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''));
      return [`${domain}.${name}`, [...new Set(holes)].toSorted()];
    }),
  );
}

test('every text is in both languages, with the same parameters', () => {
  expect(new Map(listTexts(de))).toEqual(new Map(listTexts(en)));
});

test('a parameter is inserted as it is, also if it looks like one', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...locales), (name, locale) => {
      const text = message('http.missingParameter', { name }).render(locale);
      expect(text).toBe(message('http.missingParameter', { name: '' }).render(locale) + name);
    }),
  );
  expect(String(message('http.missingParameter', { name: '{name} $& {max}' }))).toMatch(/\{name\} \$& \{max\}$/);
});

test('messages in a message have its language, and a list has commas', () => {
  const problem = message('http.list', { items: [message('problems.blank'), verbatim('x')] });
  const error = message('http.validationFailed', { problem });
  expect([error.render('en'), error.render('de')]).toEqual([
    "Validation failed: can't be blank, x",
    'Ungültige Eingabe: darf nicht leer sein, x',
  ]);
  expect(stringifyLocalized({ error, details: [{ a: error }] }, 'de')).toBe(
    JSON.stringify({ error: error.render('de'), details: [{ a: error.render('de') }] }),
  );
});

test('a text in HTML is escaped, and its parameters are unless they are HTML', () => {
  const { html: asHtml } = translator('en');
  expect(String(asHtml('http.missingParameter', { name: '<b>' }))).toBe(
    'param is missing or the value is empty: &lt;b&gt;',
  );
  expect(String(asHtml('http.missingParameter', { name: html`<b>${'&'}</b>` }))).toContain('<b>&amp;</b>');
  expect(String(asHtml('problems.blank'))).toBe('can&#39;t be blank');
  const items = [message('problems.blank'), verbatim('<b>')];
  expect(String(translator('de').html('http.list', { items }))).toBe('darf nicht leer sein, &lt;b&gt;');
});

test.each([
  [undefined, undefined, 'en'],
  [undefined, '*', 'en'],
  [undefined, 'de', 'de'],
  [undefined, 'de-AT', 'de'],
  [undefined, 'fr, de;q=0.5, en;q=0.4', 'de'],
  [undefined, 'de;q=0.4, en-GB;q=0.5', 'en'],
  [undefined, 'de;q=0, *', 'en'],
  [undefined, 'fr', 'en'],
  [undefined, '', 'en'],
  [undefined, ';;=,,', 'en'],
  ['de', 'en', 'de'],
  ['de-CH', undefined, 'de'],
  ['DE', 'en', 'de'],
  ['en', 'de', 'en'],
  ['fr', 'de', 'de'],
  ['', 'de', 'de'],
])('account %s and header %s choose %s', (account, header, locale) => {
  expect(chooseLocale(account, header)).toBe(locale);
});

test.each([
  ['pt-BR', undefined, 'pt-BR'],
  ['pt_BR', 'zh-TW', 'zh-TW'],
  ['pt-PT', 'de', 'de'],
  ['zh-tw', 'de', 'zh-TW'],
  ['de-AT', 'zh-TW', 'de'],
  [undefined, 'pt', 'pt-BR'],
  [undefined, 'de-AT, zh-TW;q=0.5', 'de'],
  [undefined, '*', 'de'],
  [undefined, 'fr', undefined],
  ['fr', undefined, undefined],
])('of German, Brazilian and Taiwanese texts, account %s and header %s get %s', (account, header, language) => {
  expect(negotiateLanguage(['de', 'pt-BR', 'zh-TW'], account, header)).toBe(language);
});

test('an error with a text that is no key, or without a parameter of its text, does not compile', () => {
  // @ts-expect-error: no key of the catalogue
  const literal = () => forbidden('You may not do this');
  // @ts-expect-error: `name` is missing
  const incomplete = () => validationFailed('http.missingParameter');
  // @ts-expect-error: no parameter of the API
  const unknownField = () => invalidField('nothing', 'problems.blank');
  // @ts-expect-error: `max` is missing
  const incompleteProblem = () => invalidField('title', 'problems.tooLong');
  expect([literal, incomplete, unknownField, incompleteProblem]).toHaveLength(4);
  expect(forbidden('http.forbidden').message).toBe('This action is not allowed');
});
