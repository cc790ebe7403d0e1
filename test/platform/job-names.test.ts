import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { schedules, subscriptions } from '../../server/app.ts';
import { indexSubscriptions } from '../../server/platform/events/reactions.ts';
import { startServer } from '../server.ts';

const grammar = /^[a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)*$/;
const handlers = indexSubscriptions(subscriptions).allJobs();
const jobNames = handlers.map(({ name }) => name);
const scheduleNames = schedules.map(({ name }) => name);
const renaming = new URL('../../server/platform/database/migrations/0039-job-names.sql', import.meta.url);

test('events, jobs and schedules are named in one grammar', () => {
  const eventNames = subscriptions.flatMap(({ events }) => events);
  const all = [...new Set([...eventNames, ...jobNames, ...scheduleNames])];
  expect(all.length).toBeGreaterThan(150);
  expect(all.filter((name) => !grammar.test(name))).toEqual([]);
  expect(new Set(scheduleNames).size).toBe(scheduleNames.length);
});

test('the migration gives stored jobs and schedule slots names that exist, and leaves no old one', async () => {
  const sql = await readFile(renaming, 'utf8');
  const pairs = [...sql.matchAll(/\('([^']+)', '([^']+)'\)/g)].map(([, old = '', name = '']) => ({ old, name }));
  expect(pairs.length).toBeGreaterThan(100);
  const current = new Set([...jobNames, ...scheduleNames]);
  expect(pairs.filter(({ old, name }) => current.has(old) || !current.has(name))).toEqual([]);
  await using server = await startServer();
  await server.db.deleteFrom('jobs').execute();
  for (const { old } of pairs) {
    await server.db
      .insertInto('jobs')
      .values({ queue: 'default', name: old, data: '{}', run_at: new Date('2999-01-01') })
      .execute();
    await server.db.insertInto('schedule_slots').values({ schedule: old, slot: new Date() }).execute();
  }
  await server.pool.query(`begin; ${sql}; commit`);
  const jobs = await server.db.selectFrom('jobs').select('name').execute();
  const slots = await server.db.selectFrom('schedule_slots').select('schedule').execute();
  const names = pairs.map(({ name }) => name).toSorted();
  expect(jobs.map(({ name }) => name).toSorted()).toEqual(names);
  expect(slots.map(({ schedule }) => schedule).toSorted()).toEqual(names);
});
