import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { schedules, subscriptions } from '../../server/app.ts';
import { indexSubscriptions } from '../../server/platform/write/reactions.ts';
import { startServer } from '../server.ts';

const grammar = /^[a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)*$/;
const handlers = indexSubscriptions(subscriptions).allJobs();
const jobNames = handlers.map(({ name }) => name);
const scheduleNames = schedules.map(({ name }) => name);
const migrations = new URL('../../server/platform/database/migrations/', import.meta.url);

/** The migrations that rename jobs, in order, with their pairs of an old and a new name. */
const renamings = readdirSync(migrations)
  .toSorted()
  .map((file) => ({ file, sql: readFileSync(new URL(file, migrations), 'utf8') }))
  .filter(({ sql }) => sql.includes('update jobs set name'))
  .map(({ file, sql }) => ({
    file,
    sql,
    names: new Map([...sql.matchAll(/\('([^']+)', '([^']+)'\)/g)].map(([, old = '', name = '']) => [old, name])),
  }));

/** Returns the name that a stored job has after all migrations from this one on. */
const finalName = (name: string, migration: number): string =>
  renamings.slice(migration).reduce((current, { names }) => names.get(current) ?? current, name);

test('events, jobs and schedules follow one naming scheme', () => {
  const eventNames = subscriptions.flatMap(({ events }) => events);
  const all = [...new Set([...eventNames, ...jobNames, ...scheduleNames])];
  expect(all.length).toBeGreaterThan(150);
  expect(all.filter((name) => !grammar.test(name))).toEqual([]);
  expect(new Set(scheduleNames).size).toBe(scheduleNames.length);
});

test('migrations rename stored jobs and schedule slots to existing names, and leave no old ones', async () => {
  const pairs = renamings.flatMap(({ names }, migration) =>
    [...names.keys()].map((old) => ({ old, name: finalName(old, migration) })),
  );
  expect(pairs.length).toBeGreaterThan(100);
  const current = new Set([...jobNames, ...scheduleNames]);
  // Since this version events name their reactions.
  const incomplete = renamings.filter(({ file, sql }) => file > '0128' && !sql.includes('array_replace(subscribers'));
  expect(incomplete.map(({ file }) => file)).toEqual([]);
  expect(pairs.filter(({ old, name }) => current.has(old) || !current.has(name))).toEqual([]);
  await using server = await startServer();
  await server.db.deleteFrom('jobs').execute();
  const schedulePairs = pairs.filter(({ name }) => scheduleNames.includes(name));
  for (const { old } of pairs) {
    await server.db
      .insertInto('jobs')
      .values({ queue: 'default', name: old, data: '{}', run_at: new Date('2999-01-01') })
      .execute();
  }
  for (const { old } of schedulePairs) {
    await server.db.insertInto('schedule_slots').values({ schedule: old, slot: new Date() }).execute();
  }
  for (const { sql } of renamings) await server.pool.query(`begin; ${sql}; commit`);
  const jobs = await server.db.selectFrom('jobs').select('name').execute();
  const slots = await server.db.selectFrom('schedule_slots').select('schedule').execute();
  expect(jobs.map(({ name }) => name).toSorted()).toEqual(pairs.map(({ name }) => name).toSorted());
  expect(slots.map(({ schedule }) => schedule).toSorted()).toEqual(schedulePairs.map(({ name }) => name).toSorted());
});
