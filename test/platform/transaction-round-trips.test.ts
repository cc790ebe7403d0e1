import { sql } from 'kysely';
import pg from 'pg';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import type { App } from '../../server/platform/app.ts';
import { groupCommit } from '../../server/platform/write/group-commit.ts';
import { transaction, type Transaction } from '../../server/platform/write/transaction.ts';
import { defineEvent } from '../../server/platform/write/define-event.ts';
import { SentStatement } from '../../server/platform/wire/sent-statement.ts';
import { publish, inTransaction, indexSubscriptions } from '../../server/platform/write/reactions.ts';
import type { Subscription } from '../../server/platform/write/subscriptions.ts';
import { failStatements, recordStatements } from '../record-statements.ts';
import { startServer, type TestServer } from '../server.ts';

const insertSlot = ({ db }: Transaction, name: string) =>
  sql`insert into schedule_slots (schedule, slot) values (${name}, now())`.execute(db);

const listSlots = async ({ db }: App): Promise<string[]> =>
  (await db.selectFrom('schedule_slots').select('schedule').orderBy('schedule').execute()).map((row) => row.schedule);

const listSent = async (run: () => Promise<unknown>): Promise<string[]> =>
  (await recordStatements(run)).map(({ text }) => text.split(' ').slice(0, 2).join(' '));

test('a transaction starts with its first statement, and one without statements is not sent', async () => {
  await using server = await startServer();
  const { app } = server;
  expect(await listSent(() => transaction(app, async () => {}))).toEqual([]);
  expect(await listSent(() => transaction(app, (tx) => insertSlot(tx, 'a')))).toEqual([
    'begin read',
    'insert into',
    'commit',
  ]);
  await expect(
    transaction(app, async () => {
      throw new Error('nothing was sent');
    }),
  ).rejects.toThrow('nothing was sent');
  expect(await listSlots(app)).toEqual(['a']);
});

test('the lock timeout of a group applies to its first statement', async () => {
  await using server = await startServer();
  const readTimeout = groupCommit(async ({ db }, _app, items: readonly number[]) => {
    const { rows } = await sql<{ lock_timeout: string }>`show lock_timeout`.execute(db);
    return items.map(() => rows[0]?.lock_timeout);
  });
  expect(await readTimeout(server.app, 1)).toBe('100ms');
  const later = await transaction(server.app, ({ db }) => sql<object>`show lock_timeout`.execute(db));
  expect(later.rows).not.toEqual([{ lock_timeout: '100ms' }]);
});

test('a first statement that fails rolls back, and so does a start that fails', async () => {
  await using server = await startServer();
  const { app } = server;
  await expect(transaction(app, ({ db }) => sql`select 1 / 0`.execute(db))).rejects.toMatchObject({ code: '22012' });
  {
    using _failure = failStatements('57P03', (text) => text.startsWith('begin read write'));
    await expect(transaction(app, (tx) => insertSlot(tx, 'lost'))).rejects.toMatchObject({ code: '57P03' });
  }
  expect(await listSlots(app)).toEqual([]);
  await transaction(app, (tx) => insertSlot(tx, 'stored'));
  expect(await listSlots(app)).toEqual(['stored']);
});

test('statements that a transaction sends together are all answered', async () => {
  await using server = await startServer();
  const { app } = server;
  const names = ['a', 'b', 'c'];
  await transaction(app, async (tx) => {
    await Promise.all(names.map((name) => insertSlot(tx, name)));
    await insertSlot(tx, 'd');
  });
  expect(await listSlots(app)).toEqual([...names, 'd']);
});

test('a part of a failed transaction that goes on sends nothing more on its connection', async () => {
  await using server = await startServer();
  const { app } = server;
  const { promise: isRolledBack, resolve: goOn } = Promise.withResolvers<void>();
  let late: Promise<unknown> = Promise.resolve();
  const failing = transaction(app, async (tx) => {
    late = isRolledBack.then(() => insertSlot(tx, 'late'));
    late.catch(() => {});
    await sql`select 1 / 0`.execute(tx.db);
  });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  await transaction(app, async (tx) => {
    await insertSlot(tx, 'other');
    goOn();
    await expect(late).rejects.toThrow('after the end of its transaction');
  });
  expect(await listSlots(app)).toEqual(['other']);
});

/** Records when statements are sent and answered, while `run` runs: `> insert into` and `< insert into`. */
async function listSendsAndAnswers(run: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const query = pg.Client.prototype.query;
  pg.Client.prototype.query = function spy(this: pg.Client, ...args: unknown[]) {
    const [first] = args as [{ text?: string } | string];
    const text = (typeof first === 'string' ? first : (first.text ?? '')).replace(/^\/\*.*?\*\/ /u, '').trim();
    const name = text.split(/\s+/u).slice(0, 3).join(' ');
    seen.push(`> ${name}`);
    const sent: unknown = Reflect.apply(query, this, args);
    const answer = sent instanceof SentStatement ? sent.result : Promise.resolve(sent);
    void answer.then(
      () => seen.push(`< ${name}`),
      () => seen.push(`! ${name}`),
    );
    return sent;
  } as typeof query;
  try {
    await run();
    return seen;
  } finally {
    pg.Client.prototype.query = query;
  }
}

test('a later post of an author takes two round trips: what nothing depends on is sent with the commit', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const post = () => alice.post('/api/v1/statuses', { status: 'Berries' });
  await post();
  await server.drain();
  const seen = await listSendsAndAnswers(post);
  const commit = seen.indexOf('> commit');
  const lastAnswer = seen.slice(0, commit).findLastIndex((each) => each.startsWith('<'));
  const sentWithCommit = seen.slice(lastAnswer + 1, commit).map((each) => each.split(' ').slice(1, 4).join(' '));
  expect(sentWithCommit).toContain('insert into home_feed');
  expect(sentWithCommit).toContain('insert into jobs');
});

const started = defineEvent('test.started', Type.Object({}));
const announced = defineEvent('test.announced', Type.Object({ name: Type.String() }));

const withReactions = ({ app }: TestServer, ...reactions: Subscription[]): App => ({
  ...app,
  subscriptions: indexSubscriptions(reactions),
});

/** Stores a job that nothing runs. */
const announceJob = inTransaction([announced], {
  run: ({ enqueue }, _app, data) =>
    enqueue({ name: 'test.announce', queue: 'default', data, runAt: new Date('2100-01-01') }),
});

test('jobs are sent together with the commit, also those of a transaction without other statements', async () => {
  await using server = await startServer();
  const app = withReactions(server, announceJob);
  const seen = await listSendsAndAnswers(() =>
    transaction(app, async (tx) => {
      await insertSlot(tx, 'a');
      tx.emit(announced({ name: 'a' }));
    }),
  );
  expect(seen.slice(seen.indexOf('> insert into jobs'))).toEqual([
    '> insert into jobs',
    '> commit',
    '< insert into jobs',
    '< commit',
  ]);
  await transaction(app, async (tx) => tx.emit(announced({ name: 'b' })));
  await expect(
    transaction(app, async (tx) => {
      tx.emit(announced({ name: 'c' }));
      await insertSlot(tx, 'a');
      await sql`select 1 / 0`.execute(tx.db);
    }),
  ).rejects.toMatchObject({ code: '22012' });
  const jobs = await sql<{ data: object }>`select data from jobs where name = 'test.announce' order by id`.execute(
    server.db,
  );
  expect(jobs.rows.map(({ data }) => data)).toEqual([{ name: 'a' }, { name: 'b' }]);
  await transaction(app, ({ db }) => sql`delete from jobs`.execute(db));
});

test('what a statement sent with the commit returns is announced after it, and not if it fails', async () => {
  await using server = await startServer();
  const seenNames: string[] = [];
  const listen = publish([announced], { onlyHere: true, run: (_app, { name }) => void seenNames.push(name) });
  const lastInsert = (value: string) =>
    inTransaction([started], {
      locks: 'webhooks',
      run: async (tx) => {
        const insert = sql<{ schedule: string }>`insert into schedule_slots (schedule, slot)
          select ${value} || 1 / length(${value}), now() returning schedule`;
        tx.sendWithCommit(insert, ({ schedule }) => announced({ name: schedule }));
      },
    });
  const run = (app: App) => transaction(app, async (tx) => tx.emit(started({})));
  const app = withReactions(server, listen, lastInsert('x'));
  const seen = await listSendsAndAnswers(() => run(app));
  expect(seen).toEqual([
    '> begin read write',
    '> insert into schedule_slots',
    '> commit',
    '< begin read write',
    '< insert into schedule_slots',
    '< commit',
  ]);
  expect(seenNames).toEqual(['x1']);
  await expect(run(withReactions(server, listen, lastInsert('')))).rejects.toMatchObject({ code: '22012' });
  expect(seenNames).toEqual(['x1']);
  expect(await listSlots(server.app)).toEqual(['x1']);
});

test('a transaction whose jobs cannot be stored fails with the reason, and stores nothing', async () => {
  await using server = await startServer();
  const app = withReactions(server, announceJob);
  await expect(
    transaction(app, async (tx) => {
      await insertSlot(tx, 'lost');
      tx.emit(announced({ name: 'a character that jsonb cannot hold: \0' }));
    }),
  ).rejects.toMatchObject({ code: '22P05' });
  expect(await listSlots(app)).toEqual([]);
  await transaction(app, (tx) => insertSlot(tx, 'stored'));
  expect(await listSlots(app)).toEqual(['stored']);
});

test('statements of reactions that lock nothing share a round trip, after those of the others', async () => {
  await using server = await startServer();
  const concurrent = (name: string) =>
    inTransaction([announced], {
      locks: 'nothing',
      run: async (tx) => {
        await insertSlot(tx, `${name} 1`);
        await insertSlot(tx, `${name} 2`);
      },
    });
  const app = withReactions(
    server,
    concurrent('a'),
    inTransaction([announced], { run: async (tx) => void (await sql`delete from schedule_slots`.execute(tx.db)) }),
    concurrent('b'),
  );
  const seen = await listSendsAndAnswers(() =>
    transaction(app, async (tx) => {
      await insertSlot(tx, 'deleted again');
      tx.emit(announced({ name: 'a' }));
    }),
  );
  const insert = 'insert into schedule_slots';
  expect(seen.slice(seen.indexOf('> delete from schedule_slots')).slice(0, 4)).toEqual([
    '> delete from schedule_slots',
    '< delete from schedule_slots',
    `> ${insert}`,
    `> ${insert}`,
  ]);
  expect(await listSlots(app)).toEqual(['a 1', 'a 2', 'b 1', 'b 2']);
});

test('a reaction that locks nothing and fails rolls back after the others ended, and its error is thrown', async () => {
  await using server = await startServer();
  let ended = 0;
  const insertSlots = (name: string) =>
    inTransaction([announced], {
      locks: 'nothing',
      run: async (tx) => {
        try {
          await insertSlot(tx, `${name} 1`);
          await insertSlot(tx, `${name} 2`);
        } finally {
          ended += 1;
        }
      },
    });
  const fails = inTransaction([announced], {
    locks: 'nothing',
    run: async (tx) => void (await sql`select 1 / 0`.execute(tx.db)),
  });
  const app = withReactions(server, insertSlots('a'), fails, insertSlots('b'));
  await expect(transaction(app, async (tx) => tx.emit(announced({ name: 'a' })))).rejects.toMatchObject({
    code: '22012',
  });
  expect(ended).toBe(2);
  expect(await listSlots(app)).toEqual([]);
});

test('of two transactions that wait for each other, the one that PostgreSQL ends is repeated', async () => {
  await using server = await startServer();
  const { app } = server;
  await transaction(app, async (tx) => {
    await insertSlot(tx, 'a');
    await insertSlot(tx, 'b');
  });
  const locked = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
  const runs: string[] = [];
  const lock = ({ db }: Transaction, name: string) =>
    sql`select from schedule_slots where schedule = ${name} for update`.execute(db);
  const lockBoth = (first: 'a' | 'b', second: 'a' | 'b') =>
    transaction(app, async (tx) => {
      runs.push(first);
      await lock(tx, first);
      locked[first].resolve();
      // In the first attempts, each has what the other one needs.
      await locked[second].promise;
      await lock(tx, second);
      return insertSlot(tx, `${first} before ${second}`);
    });
  await Promise.all([lockBoth('a', 'b'), lockBoth('b', 'a')]);
  expect(await listSlots(app)).toEqual(['a', 'a before b', 'b', 'b before a']);
  expect(runs).toHaveLength(3);
});
