import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routes, subscriptions } from '../../server/app.ts';
import { surfaces } from '../states/surfaces.ts';
import { jobRules, ownPaths, streamTests, unlistedRoutes } from '../states/unlisted.ts';

const entities: ReadonlySet<unknown> = new Set(['Account', 'CredentialAccount', 'MutedAccount', 'Status']);

/** Whether a response may hold an account or a post, or is not described. */
function mayShowAccounts(schema: unknown, seen = new Set<unknown>()): boolean {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false;
  seen.add(schema);
  if (entities.has((schema as { title?: unknown }).title)) return true;
  const members: unknown[] = Object.values(schema);
  return (seen.size === 1 && members.length === 0) || members.some((member) => mayShowAccounts(member, seen));
}

// New ones belong into test/states/surfaces.ts, or with a reason into test/states/unlisted.ts.
test('ACC-14: every route that may show accounts, every stream and every job is classified', () => {
  const gets = routes.filter(({ method }) => method === 'GET');
  const inMatrix = new Set(surfaces.map(({ route }) => route));
  const unlisted = Object.values(unlistedRoutes).flat();
  const classified = new Set([...inMatrix, ...unlisted]);
  const unclassified = gets.filter(
    ({ path, options }) =>
      !classified.has(path) &&
      !options.access.startsWith('staff:') &&
      !ownPaths.test(path) &&
      // The same handlers as those by name.
      !path.startsWith('/ap/users/:account_id') &&
      mayShowAccounts(options.response),
  );
  expect(unclassified.map(({ path }) => path)).toEqual([]);
  const paths = new Set(gets.map(({ path }) => path));
  expect([...classified].filter((path) => !paths.has(path))).toEqual([]);
  expect(unlisted.filter((path) => inMatrix.has(path))).toEqual([]);

  const streams = gets.map(({ path }) => path).filter((path) => path.startsWith('/api/v1/streaming'));
  expect(streams.toSorted()).toEqual(Object.keys(streamTests).toSorted());
  expect([...new Set(Object.values(streamTests))].filter((file) => !existsSync(file))).toEqual([]);

  const jobs = subscriptions.flatMap((subscription) => (subscription.kind === 'job' ? subscription.name : []));
  expect(jobs.filter((name) => !jobRules.some(([names]) => names.test(name)))).toEqual([]);
  expect(jobRules.filter(([names]) => !jobs.some((name) => names.test(name))).map(([, rule]) => rule)).toEqual([]);
});
