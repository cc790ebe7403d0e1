import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { DomainEvent } from '../../../server/platform/write/define-event.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { newId, type AccountId, type StatusId } from '../../../server/platform/ids.ts';
import { pollVoted } from '../../../server/polls/index.ts';
import { followRequested } from '../../../server/relationships/index.ts';
import { statusFavourited, statusUnfavourited } from '../../../server/statuses/index.ts';
import { recordStatements } from '../../record-statements.ts';
import { startServer, type TestServer } from '../../server.ts';

const inbox = 'https://far.test/inbox';

async function insertRemoteAccount({ app, db }: TestServer): Promise<AccountId> {
  const now = app.clock.now();
  const id = newId<'account'>(now);
  const uri = 'https://far.test/users/eve';
  await db
    .insertInto('accounts')
    .values({ id, username: 'eve', domain: 'far.test', uri, inbox_url: inbox, created_at: now, updated_at: now })
    .execute();
  return id;
}

async function insertRemoteStatuses({ app, db }: TestServer, accountId: AccountId, count: number) {
  const now = app.clock.now();
  const ids = Array.from({ length: count }, () => newId<'status'>(now));
  await sql`insert into statuses (id, account_id, uri, local, visibility, created_at)
    select id, ${accountId}::bigint, 'https://far.test/notes/' || id, false, 'public', ${now}
    from unnest(${ids}::bigint[]) as status(id)`.execute(db);
  return ids;
}

/** Emits events in one transaction. Returns the number of statements. */
async function emitAll({ app }: TestServer, events: readonly DomainEvent[]): Promise<number> {
  const statements = await recordStatements(() =>
    transaction(app, async ({ emit }) => {
      for (const event of events) emit(event);
    }),
  );
  return statements.length;
}

const listDeliveries = async ({ db }: TestServer) => {
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('activities', 'activities.id', 'deliveries.activity_id')
    .select(['activities.body', 'inbox_url', 'order_key'])
    .orderBy('deliveries.id')
    .execute();
  return rows.map(({ body, ...row }) => ({ ...row, activity: JSON.parse(body) as Record<string, unknown> }));
};

test.each([
  { type: statusFavourited, activityType: 'Like' },
  { type: statusUnfavourited, activityType: 'Undo' },
])(
  'FED-02: $activityType of many remote statuses takes as many statements as of one',
  async ({ type, activityType }) => {
    await using server = await startServer();
    server.expectUndelivered('far.test');
    const { id: accountId } = await server.user('alice');
    const statusIds = await insertRemoteStatuses(server, await insertRemoteAccount(server), 6);
    const events = statusIds.map((statusId: StatusId) =>
      type({ favouriteId: newId<'row'>(server.clock.now()), statusId, accountId, statusLocal: false }),
    );
    const forOne = await emitAll(server, events.slice(0, 1));
    expect(await emitAll(server, events.slice(1))).toBe(forOne);
    const deliveries = await listDeliveries(server);
    expect(deliveries.map(({ activity }) => activity['type'])).toEqual(Array(6).fill(activityType));
    expect(deliveries.map(({ order_key: key }) => key)).toEqual(
      statusIds.map((id) => `like ${accountId} https://far.test/notes/${id}`),
    );
  },
);

test('FED-02: many follows take as many statements as one', async () => {
  await using server = await startServer();
  server.expectUndelivered('far.test');
  const targetAccountId = await insertRemoteAccount(server);
  const events: DomainEvent[] = [];
  for (const name of ['alice', 'bob', 'carol']) {
    const { id: accountId } = await server.user(name);
    events.push(followRequested({ requestId: newId<'row'>(server.clock.now()), accountId, targetAccountId }));
  }
  const forOne = await emitAll(server, events.slice(0, 1));
  expect(await emitAll(server, events.slice(1))).toBe(forOne);
  expect((await listDeliveries(server)).map(({ activity }) => activity['actor'])).toEqual(
    ['alice', 'bob', 'carol'].map((name) => `${server.app.config.baseUrl}/users/${name}`),
  );
});

test('FED-02: many poll votes take as many statements as one, and only local votes in remote polls add a job', async () => {
  await using server = await startServer();
  const { id: aliceId } = await server.user('alice');
  const eveId = await insertRemoteAccount(server);
  const [statusId] = await insertRemoteStatuses(server, eveId, 1);
  if (statusId === undefined) throw new Error('no status');
  const pollId = newId<'poll'>(server.clock.now());
  await sql`insert into polls (id, status_id, account_id, options, tallies, multiple, hide_totals, created_at)
    values (${pollId}, ${statusId}, ${eveId}, ${['a', 'b']}, ${[0, 0]}, false, false, ${server.clock.now()})`.execute(
    server.db,
  );
  const vote = (accountId: AccountId, id = pollId) => pollVoted({ pollId: id, statusId, accountId, choices: [0] });
  const forOne = await emitAll(server, [vote(aliceId)]);
  const others = [vote(aliceId), vote(eveId), vote(aliceId, newId<'poll'>(server.clock.now()))];
  expect(await emitAll(server, others)).toBe(forOne);
  const jobs = await server.db.selectFrom('jobs').select('data').where('name', '=', 'poll.deliver_votes').execute();
  expect(jobs.map(({ data }) => data)).toEqual([vote(aliceId).data, vote(aliceId).data]);
});
