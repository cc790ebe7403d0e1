import { expect, test } from 'vitest';
import { fillText } from './fill-text.ts';

const params: Readonly<Record<string, string>> = { name: 'merle@hedge.example', tag: 'birds' };
const fill = (text: string, isRightToLeft: boolean): string =>
  fillText(text, (name) => params[name] ?? '', isRightToLeft);

test('a text is filled with its parameters', () => {
  expect(fill('Sign out of @{name}, #{tag}', false)).toBe('Sign out of @merle@hedge.example, #birds');
});

test('in a right-to-left text a handle and a hashtag are isolated with their signs', () => {
  expect(fill('تسجيل الخروج من @{name}، #{tag}', true)).toBe(
    'تسجيل الخروج من \u2068@merle@hedge.example\u2069، \u2068#birds\u2069',
  );
});

test('a text without parameters stays as it is', () => {
  expect(fill('إلغاء', true)).toBe('إلغاء');
});
