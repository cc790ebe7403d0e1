import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { schedules, subscriptions } from '../../server/app.ts';
import { indexSubscriptions } from '../../server/platform/events/reactions.ts';
import { startServer } from '../server.ts';

const grammar = /^[a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)*$/;
const handlers = indexSubscriptions(subscriptions).allJobs();
const jobNames = handlers.map(({ name }) => name);
const scheduleNames = schedules.map(({ name }) => name);
const migrations = new URL('../../server/platform/database/migrations/', import.meta.url);

const renamings = readdirSync(migrations)
  .filter((file) => file.endsWith('-job-names.sql'))
  .toSorted()
  .map((file) => {
    const sql = readFileSync(new URL(file, migrations), 'utf8');
    return {
      sql,
      pairs: [...sql.matchAll(/\('([^']+)', '([^']+)'\)/g)].map(([, old = '', name = '']) => ({ old, name })),
    };
  });

test('events, jobs and schedules are named in one grammar', () => {
  const eventNames = subscriptions.flatMap(({ events }) => events);
  const all = [...new Set([...eventNames, ...jobNames, ...scheduleNames])];
  expect(all.length).toBeGreaterThan(150);
  expect(all.filter((name) => !grammar.test(name))).toEqual([]);
  expect(new Set(scheduleNames).size).toBe(scheduleNames.length);
});

test('migrations rename stored jobs and schedule slots to names that exist', async () => {
  const pairs = renamings.flatMap((renaming) => renaming.pairs);
  const oldNames = pairs.map(({ old }) => old);
  const oldSchedules = pairs.filter(({ name }) => scheduleNames.includes(name)).map(({ old }) => old);
  expect(oldNames.length).toBeGreaterThan(100);
  const current = new Set([...jobNames, ...scheduleNames]);
  expect(oldNames.filter((name) => current.has(name))).toEqual([]);
  await using server = await startServer();
  await server.db.deleteFrom('jobs').execute();
  for (const name of oldNames) {
    await server.db
      .insertInto('jobs')
      .values({ queue: 'default', name, data: '{}', run_at: new Date('2999-01-01') })
      .execute();
  }
  for (const schedule of oldSchedules)
    await server.db.insertInto('schedule_slots').values({ schedule, slot: new Date() }).execute();
  for (const { sql } of renamings) await server.pool.query(`begin; ${sql}; commit`);
  const jobs = await server.db.selectFrom('jobs').select('name').execute();
  const slots = await server.db.selectFrom('schedule_slots').select('schedule').execute();
  expect(jobs).toHaveLength(oldNames.length);
  expect(slots).toHaveLength(oldSchedules.length);
  const names = [...jobs.map(({ name }) => name), ...slots.map(({ schedule }) => schedule)];
  expect(names.filter((name) => !current.has(name))).toEqual([]);
});
