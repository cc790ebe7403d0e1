import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseConfig } from '../../platform/config.ts';
import { safeReturnPath, withReturnPath } from './return-path.ts';

const app = { config: parseConfig({ BASE_URL: 'https://home.test' }) };

test('only local paths are accepted', () => {
  expect(safeReturnPath(app, '/oauth/authorize?a=b%20c&d=e')).toBe('/oauth/authorize?a=b%20c&d=e');
  const hostile = [
    '//evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    'https://evil.test',
    'javascript:alert(1)',
    '/\t/evil.test',
  ];
  for (const value of [...hostile, '/a/..//evil.test', '/.//evil.test', ' /x', '', undefined]) {
    expect(safeReturnPath(app, value), value).toBeUndefined();
  }
});

test('no text leads to another host', () => {
  const pieces = fc.array(
    fc.constantFrom('/', '\\', '..', '.', '%2f', '%5c', '@', ':', 'evil.test', '\t', '\n', '?', '#', 'x'),
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const path = safeReturnPath(app, parts.join(''));
      return path === undefined || new URL(path, 'https://home.test/a').host === 'home.test';
    }),
  );
});

test('a return path survives being passed from page to page', () => {
  const path = '/oauth/authorize?redirect_uri=https%3A%2F%2Fa.test%2F%3Fx%3D1%26y&state=%2B%26';
  const passedOn = new URL(withReturnPath('/auth/sign_in', path), 'https://home.test').searchParams.get('return_to');
  expect(passedOn).toBe(path);
});
