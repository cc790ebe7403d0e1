import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html } from '../http/html.ts';
import { forbidden, invalidField, validationFailed } from '../http/http-errors.ts';
import { chooseLocale, locales, negotiateLanguage } from './locales.ts';
import { message, stringifyLocalized, verbatim } from './message.ts';
import { translator } from './translator.ts';

test('a parameter is inserted as it is, also if it looks like one', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...locales), (name, locale) => {
      const text = message('http.missingParameter', { name }).render(locale);
      const [before = '', after = ''] = message('http.missingParameter', { name: '\0' }).render(locale).split('\0');
      expect(text.replaceAll(/[\u2068\u2069]/g, '')).toBe((before + name + after).replaceAll(/[\u2068\u2069]/g, ''));
    }),
  );
  expect(String(message('http.missingParameter', { name: '{name} $& {max}' }))).toMatch(/\{name\} \$& \{max\}$/);
});

test('a parameter of a text from right to left keeps its own direction', () => {
  expect(message('http.missingParameter', { name: '@alice' }).render('ar')).toContain('\u2068@alice\u2069');
  expect(message('http.missingParameter', { name: '@alice' }).render('en')).not.toMatch(/[\u2068\u2069]/);
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
  [undefined, 'sv, de;q=0.5, en;q=0.4', 'de'],
  [undefined, 'de;q=0.4, en-GB;q=0.5', 'en'],
  [undefined, 'de;q=0, *', 'en'],
  [undefined, 'sv', 'en'],
  [undefined, '', 'en'],
  [undefined, ';;=,,', 'en'],
  ['de', 'en', 'de'],
  ['de-CH', undefined, 'de'],
  ['DE', 'en', 'de'],
  ['en', 'de', 'en'],
  ['sv', 'de', 'de'],
  ['', 'de', 'de'],
])('account %s and header %s choose %s', (account, header, locale) => {
  expect(chooseLocale(account, header)).toBe(locale);
});

test.each([
  ['pt-BR', undefined, 'pt-BR'],
  ['pt_BR', 'zh-TW', 'pt-BR'],
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
