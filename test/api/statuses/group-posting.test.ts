import { expect, test } from 'vitest';
import { claimMedia, claimMediaForAll, type MediaClaim } from '../../../server/media/attach/claim-media.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { compareIds, newId, type AccountId, type MediaId, type StatusId } from '../../../server/platform/ids.ts';
import { createPolls } from '../../../server/polls/index.ts';
import { recordStatements } from '../../record-statements.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';
import fc from 'fast-check';

const statuses = '/api/v1/statuses';

interface File {
  readonly type?: 'image' | 'video';
  readonly state?: 'waiting' | 'ready' | 'failed';
  readonly scheduledId?: string;
}

/** Stores files as uploads leave them. */
async function storeFiles({ db, clock }: TestServer, accountId: AccountId, files: readonly File[]): Promise<MediaId[]> {
  const now = clock.now();
  const ids = files.map(() => newId<'media'>(now));
  const rows = files.map(({ type = 'image', state = 'ready', scheduledId = null }, at) => ({
    id: ids[at] as MediaId,
    account_id: accountId,
    type,
    state,
    scheduled_id: scheduledId,
    content_type: 'image/png',
    file_key: `planted/${ids[at]}.png`,
    preview_key: `planted/${ids[at]}-small.png`,
    created_at: now,
  }));
  await db
    .insertInto('media_attachments')
    .values(rows as never)
    .execute();
  return ids;
}

const titlesOf = (poll: { options: { title: string }[] } | null) => poll?.options.map(({ title }) => title);
const mediaIdsOf = (status: { media_attachments: { id: string }[] }) => status.media_attachments.map(({ id }) => id);

test('posts that share a transaction get their own files and polls, and one that fails fails alone', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const files = await storeFiles(
    server,
    alice.id,
    Array.from({ length: 8 }, () => ({})),
  );
  const [waiting = '', video = ''] = await storeFiles(server, alice.id, [{ state: 'waiting' }, { type: 'video' }]);
  const [foreign = ''] = await storeFiles(server, bob.id, [{}]);
  const poll = (...options: string[]) => ({ options, expires_in: 600, multiple: options.length > 2 });
  const posts: [TestUser, object, number][] = [
    [alice, { status: 'plain' }, 200],
    [alice, { status: 'one', media_ids: [files[1], files[0]] }, 200],
    [bob, { status: 'poll', poll: poll('a', 'b') }, 200],
    [alice, { status: 'foreign', media_ids: [foreign] }, 422],
    [alice, { status: 'waiting', media_ids: [files[2], waiting] }, 422],
    [alice, { status: 'video', media_ids: [files[2], video] }, 422],
    [alice, { status: 'unknown', media_ids: ['1'] }, 422],
    [alice, { status: 'two', media_ids: [files[3], files[2], files[3]] }, 200],
    [bob, { status: 'longer', poll: poll('x', 'y', 'z "quoted" \\ {,}') }, 200],
    [bob, { status: 'own', media_ids: [foreign] }, 200],
    [alice, { status: 'poll again', poll: poll('c', 'd') }, 200],
  ];
  const answers = await Promise.all(posts.map(([user, body]) => user.post(statuses, body)));
  expect(answers.map(({ status }) => status)).toEqual(posts.map(([, , status]) => status));
  expect(mediaIdsOf(answers[1]?.json)).toEqual([files[1], files[0]]);
  expect(mediaIdsOf(answers[7]?.json)).toEqual([files[3], files[2]]);
  expect(mediaIdsOf(answers[9]?.json)).toEqual([foreign]);
  expect(titlesOf(answers[2]?.json.poll)).toEqual(['a', 'b']);
  expect(titlesOf(answers[8]?.json.poll)).toEqual(['x', 'y', 'z "quoted" \\ {,}']);
  expect(titlesOf(answers[10]?.json.poll)).toEqual(['c', 'd']);
  expect(answers[8]?.json.poll).toMatchObject({ multiple: true, votes_count: 0, voters_count: 0 });
  expect(answers[10]?.json.poll).toMatchObject({ multiple: false });
  const { rows } = await server.pool.query('select id from media_attachments where status_id is null order by id');
  expect(rows.map(({ id }) => id)).toEqual([...files.slice(4), waiting, video]);
  expect((await server.pool.query('select tallies from polls')).rows.map(({ tallies }) => tallies.length)).toEqual(
    expect.arrayContaining([2, 3, 2]),
  );
});

test('of posts that name the same file at once, one gets it', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [file = ''] = await storeFiles(server, alice.id, [{}]);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, at) => alice.post(statuses, { status: `${at}`, media_ids: [file] })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422, 422, 422]);
});

test('the files and polls of a group cost one statement each, however many posts it has', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const files = await storeFiles(
    server,
    alice.id,
    Array.from({ length: 24 }, () => ({})),
  );
  const sent = await recordStatements(async () => {
    const posts = [
      ...files.map((id) => ({ status: id, media_ids: [id] })),
      ...files.map((id) => ({ status: id, poll: { options: ['a', 'b'], expires_in: 600 } })),
    ];
    const answers = await Promise.all(posts.map((body) => alice.post(statuses, body)));
    expect(answers.map(({ status }) => status)).toEqual(posts.map(() => 200));
  });
  const count = (pattern: RegExp) => sent.filter(({ text }) => pattern.test(text)).length;
  const groups = count(/insert into statuses\b/);
  expect(groups).toBeLessThanOrEqual(4);
  expect(count(/update media_attachments/)).toBeLessThanOrEqual(groups);
  expect(count(/insert into polls/)).toBeLessThanOrEqual(groups);
  expect(count(/media_attachments[^]*for update/)).toBe(count(/update media_attachments/));
});

/** A claim by places in the lists of files and accounts. */
interface PlannedClaim {
  readonly account: number;
  readonly files: readonly number[];
  readonly scheduled: boolean;
}

const planArbitrary = fc.record({
  files: fc.array(
    fc.record({
      owner: fc.nat(1),
      type: fc.constantFrom('image', 'image', 'image', 'video'),
      state: fc.constantFrom('ready', 'ready', 'ready', 'ready', 'waiting', 'failed'),
      isReserved: fc.boolean(),
    }),
    { minLength: 4, maxLength: 10 },
  ),
  claims: fc.array(
    fc.record({ account: fc.nat(1), files: fc.array(fc.nat(9), { maxLength: 3 }), scheduled: fc.boolean() }),
    { minLength: 1, maxLength: 6 },
  ),
});

test('claims of files in one statement come out as one by one, in any order', async () => {
  await using server = await startServer();
  const { app } = server;
  const owners = [await server.user('alice'), await server.user('bob')].map(({ id }) => id);
  const scheduledId = newId<'row'>(app.clock.now());
  const rollback = new Error('rolled back');
  /** Runs in a transaction that is rolled back. Returns the files of each claim, or the message of the refusal. */
  const attempt = async (run: (tx: Parameters<Parameters<typeof transaction>[1]>[0]) => Promise<unknown>) => {
    let result: unknown;
    await transaction(app, async (tx) => {
      result = await run(tx);
      throw rollback;
    }).catch((error: unknown) => {
      if (error !== rollback) result = 'refused';
    });
    return result;
  };
  await fc.assert(
    fc.asyncProperty(planArbitrary, async ({ files, claims }) => {
      const ids: MediaId[] = [];
      for (const { owner, isReserved, ...file } of files) {
        const stored = { ...file, ...(isReserved && { scheduledId }) } as File;
        ids.push(...(await storeFiles(server, owners[owner] as AccountId, [stored])));
      }
      const toClaim = (planned: PlannedClaim): MediaClaim => ({
        accountId: owners[planned.account] as AccountId,
        statusId: newId<'status'>(app.clock.now()),
        mediaIds: planned.files.map((file) => ids[file] ?? '7'),
        scheduledId: planned.scheduled ? scheduledId : undefined,
      });
      const all = claims.map(toClaim);
      const oneByOne = await attempt(async (tx) => {
        const found: [StatusId, MediaId[]][] = [];
        for (const claim of all) found.push([claim.statusId, (await claimMedia(tx, app, claim)).map(({ id }) => id)]);
        return found.toSorted(([a], [b]) => compareIds(a, b));
      });
      for (const shuffled of [all, all.toReversed(), all.toSorted((a, b) => a.mediaIds.length - b.mediaIds.length)]) {
        const together = await attempt(async (tx) => {
          const rows = await claimMediaForAll(tx, app, shuffled);
          return shuffled
            .map(({ statusId }, at): [StatusId, MediaId[]] => [statusId, (rows[at] ?? []).map(({ id }) => id)])
            .toSorted(([a], [b]) => compareIds(a, b));
        });
        expect(together).toEqual(oneByOne);
      }
    }),
    { numRuns: 60 },
  );
});

test('no claims and no polls send no statement', async () => {
  await using server = await startServer();
  const { app } = server;
  const { id: accountId } = await server.user('alice');
  const claim: MediaClaim = { accountId, statusId: newId<'status'>(app.clock.now()), mediaIds: [] };
  const sent = await recordStatements(() =>
    transaction(app, async (tx) => {
      expect(await claimMediaForAll(tx, app, [claim, claim])).toEqual([[], []]);
      expect(await createPolls(tx, app, [])).toEqual([]);
    }),
  );
  expect(sent).toEqual([]);
});
