import { expect, test } from 'vitest';
import { transaction } from '../../server/platform/write/transaction.ts';
import type { JobId } from '../../server/platform/ids.ts';
import {
  countChangeableJobs,
  countJobs,
  deleteJobs,
  listJobs,
  retryJobs,
  type JobFilter,
} from '../../server/platform/work/manage-jobs.ts';
import { startServer, type TestServer } from '../server.ts';

/** Stores a job of each state, and returns their ids. */
async function storeJobs({ db, clock }: TestServer) {
  const now = clock.now();
  const later = new Date(now.getTime() + 60_000);
  const base = { name: 'media.delete_files', data: JSON.stringify({ keys: [] }), run_at: later };
  const rows = await db
    .insertInto('jobs')
    .values([
      { ...base, queue: 'background' },
      { ...base, queue: 'background', leased_until: later, last_error: 'Error: earlier' },
      { ...base, queue: 'background', attempts: 2, last_error: 'Error: disk' },
      { ...base, queue: 'media', attempts: 16, last_error: 'Error: disk', exhausted_at: now },
    ])
    .returning('id')
    .execute();
  const [waiting, running, retrying, exhausted] = rows.map(({ id }) => id) as [JobId, JobId, JobId, JobId];
  return { waiting, running, retrying, exhausted };
}

const ids = async ({ app }: TestServer, filter: JobFilter) =>
  (await listJobs(app, filter, { limit: 10 })).map(({ id }) => id);

test('jobs are listed newest first by queue, name and state, and counted', async () => {
  await using server = await startServer();
  const { app } = server;
  const { waiting, running, retrying, exhausted } = await storeJobs(server);
  expect(await ids(server, {})).toEqual([exhausted, retrying, running, waiting]);
  expect(await ids(server, { state: 'waiting' })).toEqual([waiting]);
  expect(await ids(server, { state: 'running' })).toEqual([running]);
  expect(await ids(server, { state: 'retrying' })).toEqual([retrying]);
  expect(await ids(server, { state: 'exhausted' })).toEqual([exhausted]);
  expect(await ids(server, { queue: 'media' })).toEqual([exhausted]);
  expect(await ids(server, { name: 'media.process' })).toEqual([]);
  const page = await listJobs(app, {}, { maxId: running, limit: 10 });
  expect(page).toMatchObject([{ id: waiting, state: 'waiting', attempts: 0, data: { keys: [] } }]);
  expect(await countJobs(app)).toMatchObject([
    { queue: 'background', state: 'retrying', jobs: 1 },
    { queue: 'background', state: 'running', jobs: 1 },
    { queue: 'background', state: 'waiting', jobs: 1 },
    { queue: 'media', state: 'exhausted', jobs: 1 },
  ]);
  await server.db.deleteFrom('jobs').execute();
});

test('failed jobs are retried at once with all attempts; running and waiting ones are not', async () => {
  await using server = await startServer();
  const { app } = server;
  const { waiting, running, retrying, exhausted } = await storeJobs(server);
  expect(await countChangeableJobs(app, {}, 'retry')).toBe(2);
  const changed = await transaction(app, (tx) => retryJobs(tx, app, { after: '0' as JobId }));
  expect(changed).toEqual([retrying, exhausted]);
  const again = await transaction(app, (tx) => retryJobs(tx, app, { after: exhausted }));
  expect(again).toEqual([]);
  await server.drain();
  expect(await ids(server, {})).toEqual([running, waiting]);
  await server.db.deleteFrom('jobs').execute();
});

test('jobs are deleted by filter, except those that run', async () => {
  await using server = await startServer();
  const { app } = server;
  const { waiting, running, retrying, exhausted } = await storeJobs(server);
  expect(await countChangeableJobs(app, { queue: 'background' }, 'delete')).toBe(2);
  const remove = (filter: JobFilter) =>
    transaction(app, (tx) => deleteJobs(tx, app, { ...filter, after: '0' as JobId }));
  expect(await remove({ state: 'exhausted' })).toEqual([exhausted]);
  expect(await remove({ ids: [running, retrying] })).toEqual([retrying]);
  expect(await remove({})).toEqual([waiting]);
  expect(await ids(server, {})).toEqual([running]);
  await server.db.deleteFrom('jobs').execute();
});
