import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseConfig } from '../../platform/config.ts';
import type { SignInProvider } from '../../platform/sign-in-providers.ts';
import type { ProviderClaims } from '../tables.ts';
import { parseClaims } from './parse-claims.ts';

/** Returns the provider with these settings. */
function createProvider(settings: Record<string, string>): SignInProvider {
  const given = { ISSUER: 'https://id.test', CLIENT_ID: 'x', ...settings };
  const prefixed = Object.entries(given).map(([name, value]) => [`OIDC_TOWN_${name}`, value]);
  const [provider] = parseConfig({ SIGN_IN_PROVIDERS: 'town', ...Object.fromEntries(prefixed) }).signInProviders;
  if (provider === undefined) throw new Error('no provider');
  return provider;
}

const usual = createProvider({});

const parse = (claims: object, settings?: Record<string, string>): ProviderClaims | undefined =>
  parseClaims({ sub: 'x', ...claims }, settings === undefined ? usual : createProvider(settings));

test('a person needs a subject of printable characters', () => {
  expect(parse({ sub: 'a'.repeat(255) })?.subject).toHaveLength(255);
  expect(parse({ sub: 42 })?.subject).toBe('42');
  for (const sub of [undefined, '', null, {}, ['x'], ' x', 'x\u0000', 'x\u200b', 'a'.repeat(256)])
    expect(parse({ sub }), JSON.stringify(sub)).toBeUndefined();
  expect(parse({ uid: 'alice' }, { SUBJECT_CLAIM: 'uid' })?.subject).toBe('alice');
  expect(parse({}, { SUBJECT_CLAIM: 'uid' })).toBeUndefined();
});

test('an address is normalised, and without a valid one nothing is verified', () => {
  expect(parse({ email: ' Alice@TOWN.test. ', email_verified: true })).toMatchObject({
    email: 'Alice@town.test',
    isEmailVerified: true,
  });
  expect(parse({ email: 'a@town.test' })?.isEmailVerified).toBe(false);
  expect(parse({ email: 'a@town.test', email_verified: 'false' })?.isEmailVerified).toBe(false);
  for (const email of [undefined, '', 'alice', 7, ['a@town.test'], `${'a'.repeat(400)}@town.test`, 'a@b@town.test\n']) {
    const claims = parse({ email, email_verified: true }, { VERIFIED_EMAILS: 'on' });
    expect([claims?.email, claims?.isEmailVerified], JSON.stringify(email)).toEqual([undefined, false]);
  }
});

test('a username is suggested from what the provider calls the person, else from the address', () => {
  const suggest = (claims: object): string | undefined => parse(claims)?.username;
  expect(suggest({ preferred_username: 'José.García@town.test' })).toBe('Jose_Garcia');
  expect(suggest({ preferred_username: 'a'.repeat(99) })).toHaveLength(30);
  expect(suggest({ preferred_username: '名前', email: 'bob.b@town.test' })).toBe('bob_b');
  // Cyrillic letters that look like Latin ones are left out.
  expect(suggest({ preferred_username: 'аdmin' })).toBe('dmin');
  expect(suggest({ preferred_username: ['x'], email: 5 })).toBeUndefined();
});

test('names are bounded, and have no line breaks', () => {
  expect(parse({ name: ' Alice\n\u0000B. ' })?.displayName).toBe('Alice B.');
  expect(parse({ name: 'é'.repeat(99) })?.displayName).toHaveLength(40);
  expect(parse({ name: 7 })?.displayName).toBeUndefined();
});

test('groups are texts, found by a name or a path', () => {
  expect(parse({ groups: ['a', 7, null, 'b'] })?.groups).toEqual(['a', 'b']);
  expect(parse({ groups: 'a' })?.groups).toEqual(['a']);
  expect(parse({ groups: { a: 1 } })?.groups).toBeUndefined();
  const path = { GROUPS_CLAIM: 'realm_access.roles' };
  expect(parse({ realm_access: { roles: ['a'] } }, path)?.groups).toEqual(['a']);
  expect(parse({ 'realm_access.roles': ['b'], realm_access: { roles: ['a'] } }, path)?.groups).toEqual(['b']);
  expect(parse({ realm_access: null }, path)?.groups).toBeUndefined();
  expect(parse({}, { GROUPS_CLAIM: 'constructor.name' })?.groups).toBeUndefined();
});

test('whatever a provider claims, a suggested username is valid', () => {
  const claim = fc.oneof(fc.anything(), fc.string({ unit: 'binary' }), fc.emailAddress());
  fc.assert(
    fc.property(fc.record({ preferred_username: claim, email: claim, name: claim, groups: claim }), (claims) => {
      expect(parse(claims)?.username ?? 'none').toMatch(/^[a-z0-9_]{1,30}$/i);
    }),
  );
});
