import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routes, workers } from '../server/app.ts';

const sources = globSync('server/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
const readSource = (file: string): string => readFileSync(file, 'utf8');

test('every change of a counter raises the version of its row (docs/decisions/0028)', () => {
  const changes = sources
    .filter((file) => !file.startsWith('server/cli/'))
    .flatMap((file) => [...readSource(file).matchAll(/update (?:status|account)_stats[^`]*|into status_stats[^`]*/g)])
    .map(([statement]) => statement);
  expect(changes.length).toBeGreaterThan(8);
  expect(changes.filter((statement) => !/version = (?:\w+\.)?version \+ 1/.test(statement))).toEqual([]);
});

test('no two routes answer the same method and path, and every one is summed up in a line', () => {
  const names = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  for (const { path, options } of routes) expect(options.summary, path).toMatch(/^\S.{2,120}$/);
});

test('every API route that a user calls names its scope', () => {
  const open = new Set([
    '/api/v1/apps/verify_credentials',
    '/api/v1/accounts/:id/identity_proofs',
    '/api/v1/announcements',
  ]);
  const unscoped = routes.filter(
    ({ path, options }) =>
      (options.access === 'user' || options.access.startsWith('staff:')) &&
      options.scope === undefined &&
      !open.has(path),
  );
  expect(unscoped.map(({ path }) => path)).toEqual([]);
});

test('time comes from the clock, and nothing waits by sleeping', () => {
  // Decoders run in processes of their own, which have no clock but the real one to be ended by.
  const allowed = /server\/(?:platform|cli|media\/decoding)\/|server\/main\.ts/;
  const strangers = sources.filter(
    (file) => !allowed.test(file) && /new Date\(\)|Date\.now\(\)|setTimeout\(/.test(readSource(file)),
  );
  expect(strangers).toEqual([]);
});

test('workers and stored names are unique', () => {
  const names = workers.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
