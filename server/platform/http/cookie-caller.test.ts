import { expect, test } from 'vitest';
import { parseConfig } from '../config.ts';
import { isOwnRequest } from './cookie-caller.ts';

const own = 'https://fieldfare.test';
const app = { config: parseConfig({ BASE_URL: 'https://fieldfare.test/' }) };
const origin = 'http://localhost:3000';
const account = { 'fieldfare-account': '1' };
const sameOrigin = { 'sec-fetch-site': 'same-origin' };

test.each([
  // Writes need the header.
  ['POST', account, true],
  ['POST', { ...account, origin: own, ...sameOrigin }, true],
  ['POST', { ...account, origin: 'http://localhost:3000', ...sameOrigin }, true],
  ['PUT', { ...sameOrigin, origin: own }, false],
  ['DELETE', {}, false],
  ['PATCH', { origin: own }, false],
  // Reads need the header, or a browser that says where they come from.
  ['GET', account, true],
  ['GET', sameOrigin, true],
  ['HEAD', sameOrigin, true],
  ['GET', {}, false],
  ['GET', { origin: own }, false],
  // No header outweighs another site.
  ...['cross-site', 'same-site', 'none', ''].flatMap((site) => [
    ['GET', { ...account, 'sec-fetch-site': site }, false] as const,
    ['POST', { ...account, 'sec-fetch-site': site, origin: own }, false] as const,
  ]),
  ...['https://evil.test', 'null', 'http://fieldfare.test', `${own}.evil.test`, `${own}:8443`, ''].flatMap((other) => [
    ['GET', { ...sameOrigin, origin: other }, false] as const,
    ['POST', { ...account, ...sameOrigin, origin: other }, false] as const,
  ]),
] as const)('the cookie of a session counts for %s with %j: %s', (method, headers, expected) => {
  expect(isOwnRequest(app, { method, headers, isUpgrade: false, origin })).toBe(expected);
});

test.each([
  [{ origin: own }, true],
  [{ origin: 'http://localhost:3000' }, true],
  [{ origin: 'https://evil.test' }, false],
  [{ origin: 'null' }, false],
  [{}, false],
  [sameOrigin, false],
  [account, false],
])('the cookie of a session counts for a WebSocket with %j: %s', (headers, expected) => {
  expect(isOwnRequest(app, { method: 'GET', headers, isUpgrade: true, origin })).toBe(expected);
});
