import { expect, test } from 'vitest';
import type { App } from '../../platform/app.ts';
import { normalizeDomain, parseHandle } from './parse-handle.ts';

const app = { config: { domain: 'home.example', webDomain: 'www.home.example:3000' } } as App;

test('handles are parsed in every notation, and local ones have no domain', () => {
  expect(parseHandle(app, 'alice')).toEqual({ username: 'alice', domain: null });
  expect(parseHandle(app, '@alice')).toEqual({ username: 'alice', domain: null });
  expect(parseHandle(app, ' @alice@HOME.example. ')).toEqual({ username: 'alice', domain: null });
  expect(parseHandle(app, 'alice@www.home.example:3000')).toEqual({ username: 'alice', domain: null });
  expect(parseHandle(app, 'acct:alice@home.example')).toEqual({ username: 'alice', domain: null });
  expect(parseHandle(app, 'ACCT:@bob@there.example')).toEqual({ username: 'bob', domain: 'there.example' });
  expect(parseHandle(app, '@bob@Bücher.example')).toEqual({ username: 'bob', domain: 'xn--bcher-kva.example' });
});

test('invalid handles are rejected', () => {
  for (const text of ['', '@', '@@', 'a@b@c', 'a@', 'a@b c', 'a@http://b', 'a@b/c', '@@a', 'acct:', 'acct:@']) {
    expect(parseHandle(app, text)).toBeUndefined();
  }
});

test('a domain is normalised to lower case and punycode, with its port', () => {
  expect(normalizeDomain('EXAMPLE.org.')).toBe('example.org');
  expect(normalizeDomain('localhost:3000')).toBe('localhost:3000');
  expect(normalizeDomain('exa mple.org')).toBeUndefined();
  expect(normalizeDomain('example.org:port')).toBeUndefined();
  expect(normalizeDomain('old_name.example')).toBe('old_name.example');
  for (const text of [
    '*.example',
    '{}',
    'a..example',
    '.example',
    "o'clock.example",
    '[::1]',
    `${'a'.repeat(250)}.org`,
  ]) {
    expect(normalizeDomain(text), text).toBeUndefined();
  }
});
