import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileFile } from '../../compile-texts.ts';
import { chooseForm, fillText } from '../../../server/platform/i18n/fill-text.ts';

let folder = '';
const fileOf = (language: string): string => join(folder, 'locales', language, 'client', 'core.json');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fieldfare-texts-'));
  const files = {
    en: { app: { back: 'Back', close: 'Close', signOut: 'Sign out of @{{name}}, #{{tag}}' } },
    ar: { app: { back: 'إلغاء', close: '', signOut: 'تسجيل الخروج من @{{name}}، #{{tag}}' } },
  };
  for (const [language, texts] of Object.entries(files)) {
    mkdirSync(dirname(fileOf(language)), { recursive: true });
    writeFileSync(fileOf(language), JSON.stringify(texts));
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

function fill(language: string, name: string): string {
  const params: Readonly<Record<string, string>> = { name: 'merle@hedge.example', tag: 'birds' };
  const text = compileFile(fileOf(language))['app']?.[name] ?? '';
  return fillText(chooseForm(text, new Intl.PluralRules(language), 0), (parameter) => params[parameter] ?? '');
}

test('a text is filled with its parameters', () => {
  expect(fill('en', 'signOut')).toBe('Sign out of @merle@hedge.example, #birds');
});

test('in a right-to-left text a handle and a hashtag are isolated with their signs', () => {
  expect(fill('ar', 'signOut')).toBe('تسجيل الخروج من \u2068@merle@hedge.example\u2069، \u2068#birds\u2069');
});

test('a text without parameters stays as it is', () => {
  expect(fill('ar', 'back')).toBe('إلغاء');
});

test('a text without translation is in English', () => {
  expect(fill('ar', 'close')).toBe('Close');
});
