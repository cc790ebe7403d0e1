import { expect, test } from 'vitest';
import { allScopes, resolveScopes, parseScopes, scopeAllows, describeScope, unknownScopes } from './scopes.ts';

const granted = (text: string): Set<string> => new Set(parseScopes(text));

test('OAU-02: a wide scope includes its granular scopes, but not the reverse', () => {
  expect(scopeAllows(granted('read'), 'read:statuses')).toBe(true);
  expect(scopeAllows(granted('write'), 'follow|write|write:follows')).toBe(true);
  expect(scopeAllows(granted('read:statuses'), 'read')).toBe(false);
  expect(scopeAllows(granted('read'), 'write:statuses')).toBe(false);
  expect(scopeAllows(granted('admin:read'), 'admin:read:accounts')).toBe(true);
  expect(scopeAllows(granted('admin:read'), 'admin:write:accounts')).toBe(false);
});

test('OAU-02: read and write do not include the admin scopes, profile or push', () => {
  for (const needed of ['admin:read', 'admin:read:accounts', 'profile', 'push']) {
    expect(scopeAllows(granted('read write follow'), needed)).toBe(false);
  }
});

test('OAU-02: follow includes follows, blocks and mutes only', () => {
  expect(scopeAllows(granted('follow'), 'write:mutes')).toBe(true);
  expect(scopeAllows(granted('follow'), 'read:blocks')).toBe(true);
  expect(scopeAllows(granted('follow'), 'write|write:statuses')).toBe(false);
});

test('OAU-02: every scope has a description, and the dangerous ones are marked', () => {
  for (const scope of allScopes) expect(String(describeScope(scope)?.summary)).toMatch(/^[a-z].{8,}/);
  expect(describeScope('write')?.dangerous).toBe(true);
  expect(describeScope('admin:write')?.dangerous).toBe(true);
  expect(describeScope('read:bookmarks')?.dangerous).toBe(false);
  expect(unknownScopes(['read', 'everything'])).toEqual(['everything']);
});

test('OAU-01: an app gets exactly the scopes that it requests, if it registered them', () => {
  expect(resolveScopes(['read', 'write'], 'write read:statuses')).toEqual(['write', 'read:statuses']);
  expect(resolveScopes(['read'], 'read write')).toBeUndefined();
  expect(resolveScopes(['read:statuses'], 'read')).toBeUndefined();
  expect(resolveScopes(['read', 'write'], '')).toEqual(['read']);
  expect(resolveScopes(['write:media'], undefined)).toEqual(['write:media']);
});
