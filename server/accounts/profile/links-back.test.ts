import { expect, test } from 'vitest';
import { parseProfileLink, linksBack } from './links-back.ts';

test('a field that contains only a URL can be verified', () => {
  expect(parseProfileLink('https://alice.example/me', true)).toBe('https://alice.example/me');
  expect(parseProfileLink(' http://alice.example ', true)).toBe('http://alice.example');
  for (const value of [
    'alice.example',
    'see https://alice.example',
    'https://a b',
    'ftp://alice.example',
    'https://x:y@alice.example',
    'https://localhost/',
    '',
  ]) {
    expect(parseProfileLink(value, true), value).toBeUndefined();
  }
});

test('a remote field can be verified if it is a single link that shows its whole URL', () => {
  const link = (href: string, text: string) => `<a href="${href}" rel="me nofollow">${text}</a>`;
  const split = '<span class="invisible">https://</span><span>alice.example/me</span>';
  expect(parseProfileLink(link('https://alice.example/me', split), false)).toBe('https://alice.example/me');
  expect(parseProfileLink(link('https://evil.example/', 'https://alice.example'), false)).toBeUndefined();
  expect(parseProfileLink(link('https://alice.example', 'my site'), false)).toBeUndefined();
  expect(
    parseProfileLink(
      `${link('https://alice.example', 'https://alice.example')}${link('https://b.example', '')}`,
      false,
    ),
  ).toBeUndefined();
  expect(parseProfileLink('https://alice.example', false)).toBeUndefined();
});

test('a page links back by rel=me in a link of its head or body, among other relations and in any case', () => {
  const me = ['https://fieldfare.test/@alice', 'https://fieldfare.test/users/alice'];
  const back = (html: string) => linksBack(html, 'https://alice.example/', me);
  expect(back('<a rel="me" href="https://fieldfare.test/@alice">')).toBe(true);
  expect(back('<link href="https://FIELDFARE.test/@Alice" rel="nofollow ME">')).toBe(true);
  expect(back('<a rel="me" href="https://fieldfare.test/users/alice/">')).toBe(true);
  expect(back('<a href="https://fieldfare.test/@alice">')).toBe(false);
  expect(back('<a rel="menu" href="https://fieldfare.test/@alice">')).toBe(false);
  expect(back('<a rel="me" href="https://fieldfare.test/@alice2">')).toBe(false);
  expect(back('<!-- <a rel="me" href="https://fieldfare.test/@alice"> -->')).toBe(false);
  expect(back('<a rel="me" href="/@alice">')).toBe(false);
  expect(back('<script>"<a rel=me href=https://fieldfare.test/@alice>"</script>')).toBe(false);
});
