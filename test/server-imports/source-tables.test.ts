import { expect, test } from 'vitest';
import type { DescribedTable } from '../../server/server-imports/describe-tables.ts';
import { copiedTables } from '../../server/server-imports/gotosocial/copied-tables.ts';
import { gotosocialNotTaken } from '../../server/server-imports/gotosocial/not-taken.ts';
import { mastodonPlan } from '../../server/server-imports/mastodon/mastodon-plan.ts';
import { columnsOf } from './gotosocial-schema.ts';
import { mastodonSchema, mastodonVersions } from './mastodon-schema.ts';
import { gotosocialTables, mastodonTables } from './source-tables.ts';

/** Names of the tables that an import of a Mastodon with these tables takes or counts as lost. */
function knownToMastodonPlan(tables: ReadonlySet<string>): ReadonlySet<string> {
  const described: DescribedTable = { types: new Map(), foreignKeys: [], hasIdentity: false };
  const plan = mastodonPlan(new Map([...tables].map((name) => [name, described])), {
    site: { baseUrl: 'https://birds.test', domain: 'birds.test' },
    remote: 'all',
    otpSecrets: { read: () => ({ problem: 'none' }), unreadable: new Map() },
    privateKeys: { read: () => ({ problem: 'none' }), unreadable: new Map() },
    issuer: undefined,
    sealToken: async () => undefined,
  });
  return new Set([...plan.tables, ...plan.notTaken].map(({ from }) => from));
}

const knownToGotosocialPlan = new Set([...copiedTables.keys(), ...gotosocialNotTaken.keys()]);

test.each([...mastodonTables])('every table of Mastodon %s is imported, or counted as lost', (_, tables) => {
  const known = knownToMastodonPlan(tables);
  expect([...tables].filter((name) => !known.has(name))).toEqual([]);
});

test.each([...gotosocialTables])('every table of GoToSocial %s is imported, or counted as lost', (_, tables) => {
  expect([...tables].filter((name) => !knownToGotosocialPlan.has(name))).toEqual([]);
});

test('every table of an import exists in a version of its source', () => {
  const ofMastodon = new Set([...mastodonTables.values()].flatMap((tables) => [...tables]));
  const ofGotosocial = new Set([...gotosocialTables.values()].flatMap((tables) => [...tables]));
  expect([...knownToMastodonPlan(ofMastodon)].filter((name) => !ofMastodon.has(name))).toEqual([]);
  expect([...knownToGotosocialPlan].filter((name) => !ofGotosocial.has(name))).toEqual([]);
});

test.each(mastodonVersions)('the emulated Mastodon %s has the tables of its version', (version) => {
  const created = [...mastodonSchema(version).matchAll(/create table (\w+)/g)].map(([, name]) => name);
  const expected = [...(mastodonTables.get(version) ?? [])].filter((name) => name !== 'ar_internal_metadata');
  expect(created.toSorted()).toEqual(expected.toSorted());
});

test.each(['0.17', '0.20'] as const)('the emulated GoToSocial %s has all tables that are copied', (version) => {
  const tables = gotosocialTables.get(version) ?? new Set();
  const copied = [...copiedTables.keys()].filter((name) => tables.has(name));
  expect(copied.filter((name) => columnsOf(version, name) === undefined)).toEqual([]);
});
