import { expect, test } from 'vitest';
import { outOfBand, parseRedirectUris, withParameters, redirectUriError } from './redirect-uris.ts';

test('APP-01: web, custom and out-of-band redirect URIs are valid, scripts and relative ones are not', () => {
  for (const uri of [
    'https://app.example/cb?x=1',
    'icecubesapp://',
    'com.app:/oauth',
    'http://localhost:7777',
    'http://127.0.0.1:7777/cb',
    'http://[::1]:7777/cb',
    'https://xn--bcher-kva.example/cb;v=1?a=b,c',
    'org.joinmastodon.android://callback',
    'tusky-3.test+x://oauth',
    'urn:ietf:wg:oauth:2.0:oob',
    outOfBand,
  ]) {
    expect(redirectUriError(uri), uri).toBeUndefined();
  }
  const wrong = [
    '/callback',
    '//evil.test/x',
    'app.example/cb',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://app.example/1',
    'about:blank',
    'filesystem:https://app.example/x',
    'view-source:https://app.example/',
    'mailto:a@app.example',
    'ws://app.example/',
    'intent://x#Intent;end',
    'urn:isbn:1',
    'https://x;sandbox/cb',
    'https://x,y/cb',
    "https://x'unsafe-inline'/cb",
    'http://a$b/cb',
  ];
  for (const uri of [...wrong, 'https://app.example/#x']) expect(redirectUriError(uri), uri).toBeDefined();
});

test('APP-01: several redirect URIs are sent as lines or as a list', () => {
  const both = ['https://a.test/', 'app://b'];
  expect(parseRedirectUris('https://a.test/\r\napp://b\n')).toEqual(both);
  expect(parseRedirectUris(both)).toEqual(both);
});

test('OAU-01: parameters are added to those of a redirect URI', () => {
  expect(withParameters('app://x', { code: 'a b', state: undefined })).toBe('app://x?code=a%20b');
  expect(withParameters('https://a.test/?r=%2Fx', { code: '1', state: '&' })).toBe(
    'https://a.test/?r=%2Fx&code=1&state=%26',
  );
});
