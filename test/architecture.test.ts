import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routes, workers } from '../server/app.ts';

const sources = globSync('server/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
const readSource = (file: string): string => readFileSync(file, 'utf8');

test('every change of a counter increments the version of its row (docs/decisions/0028)', () => {
  const changes = sources
    .filter((file) => !file.startsWith('server/cli/'))
    .flatMap((file) => [...readSource(file).matchAll(/update (?:status|account)_stats[^`]*|into status_stats[^`]*/g)])
    .map(([statement]) => statement);
  expect(changes.length).toBeGreaterThan(8);
  expect(changes.filter((statement) => !/version = (?:\w+\.)?version \+ 1/.test(statement))).toEqual([]);
});

test('every route has a unique method and path, and a summary of one line', () => {
  const names = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  for (const { path, options } of routes) expect(options.summary, path).toMatch(/^\S.{2,120}$/);
});

test('every API route for users declares its scope', () => {
  const withoutScope = new Set([
    '/api/v1/apps/verify_credentials',
    '/api/v1/accounts/:id/identity_proofs',
    '/api/v1/announcements',
    '/api/v1/donation_campaigns',
  ]);
  const unscoped = routes.filter(
    ({ path, options }) =>
      (options.access === 'user' || options.access.startsWith('staff:')) &&
      options.scope === undefined &&
      !withoutScope.has(path),
  );
  expect(unscoped.map(({ path }) => path)).toEqual([]);
});

test('only the platform, commands and decoders use the system clock and timers', () => {
  // Decoders run in processes of their own, which only the real clock can time out.
  const allowed = /server\/(?:platform|cli|media\/decoding)\/|server\/main\.ts/;
  const violations = sources.filter(
    (file) => !allowed.test(file) && /new Date\(\)|Date\.now\(\)|setTimeout\(/.test(readSource(file)),
  );
  expect(violations).toEqual([]);
});

test('workers and stored names are unique', () => {
  const names = workers.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
