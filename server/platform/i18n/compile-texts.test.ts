import { expect, test } from 'vitest';
import { compileTexts } from './compile-texts.ts';
import { chooseForm, fillText } from './fill-text.ts';

const compile = (file: Parameters<typeof compileTexts>[0][number]) => Object.fromEntries(compileTexts([file]));

test('a text is divided at its parameters, and has its path as a key', () => {
  expect(
    compile({ app: { back: 'Back', signOut: 'Sign out of @{{name}}' }, push: { admin: { report: '{{name}}' } } }),
  ).toEqual({
    'app.back': 'Back',
    'app.signOut': ['Sign out of @', 'name', ''],
    'push.admin.report': ['', 'name', ''],
  });
});

test('forms of a plural are one text, without those that are like the form for other numbers', () => {
  expect(
    compile({ a: { posts_one: 'one post', posts_many: '{{count}} posts', posts_other: '{{count}} posts' } }),
  ).toEqual({
    'a.posts': { one: 'one post', other: ['', 'count', ' posts'] },
  });
  expect(compile({ a: { posts_one: 'posts', posts_other: 'posts' } })).toEqual({ 'a.posts': 'posts' });
});

test('what is not translated is left out', () => {
  expect(compile({ a: { back: '', posts_one: 'one', posts_other: '', tags_one: '', tags_other: 'tags' } })).toEqual({
    'a.tags': 'tags',
  });
});

test('later files replace texts of earlier ones', () => {
  expect(Object.fromEntries(compileTexts([{ a: { x: '1', y: '2' } }, { a: { y: '3' } }]))).toEqual({
    'a.x': '1',
    'a.y': '3',
  });
});

test('a plural has the form of its number, or the one for other numbers', () => {
  const plural = { one: 'one post', other: ['', 'count', ' posts'] } as const;
  const posts = (language: string, count: number): string =>
    fillText(chooseForm(plural, new Intl.PluralRules(language), count), () => String(count));
  expect([posts('en', 1), posts('en', 2), posts('ar', 3), posts('ja', 1)]).toEqual([
    'one post',
    '2 posts',
    '3 posts',
    '1 posts',
  ]);
});
