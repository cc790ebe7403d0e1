import { sql } from 'kysely';
import { createApplication, createToken } from '../server/oauth/index.ts';
import type { App } from '../server/platform/app.ts';
import { transaction } from '../server/platform/write/transaction.ts';
import { newId, type AccountId, type RoleId, type RowId, type StatusId } from '../server/platform/ids.ts';
import { followAccount } from '../server/relationships/follow/index.ts';
import { favouriteStatus } from '../server/statuses/react/index.ts';
import { postStatus } from '../server/statuses/post/index.ts';
import { createUser } from '../server/users/sign-up/index.ts';
import { createHeavyScene, type HeavyScene } from './heavy-scene.ts';
import { drawNames } from './search/search-names.ts';

/** Someone who takes part in the measurements. */
export interface BenchmarkUser {
  readonly accountId: AccountId;
  readonly token: string;
}

/** The users and posts that the requests are about. */
export interface Scene {
  /** Each follows 300 accounts and has notifications. */
  readonly readers: readonly [BenchmarkUser, ...BenchmarkUser[]];
  /** Post without followers; react. */
  readonly authors: readonly [BenchmarkUser, ...BenchmarkUser[]];
  /** Followed by every local account. */
  readonly star: BenchmarkUser;
  readonly starFollowers: number;
  /** An account with many posts. */
  readonly accountId: AccountId;
  /** A post with 59 others in its conversation. */
  readonly threadId: StatusId;
  /** Public posts of other accounts. */
  readonly statusIds: readonly StatusId[];
  /** Usernames of seeded accounts. */
  readonly names: readonly string[];
  readonly heavy: HeavyScene;
}

const readerCount = 8;
const authorCount = 16;
const followedCount = 300;
const threadReplyCount = 59;
const maxStarFollowers = 10_000;

interface UserKind {
  readonly scopes?: readonly string[];
  readonly roleId?: RoleId;
}

/** Creates an app for benchmarks. Returns a function that creates users of a name, signed in to it. */
export async function userCreator(
  app: App,
  { scopes = ['read', 'write', 'follow'], roleId }: UserKind = {},
): Promise<(username: string) => Promise<BenchmarkUser>> {
  const redirectUris = ['urn:ietf:wg:oauth:2.0:oob'];
  const { id: applicationId } = await createApplication(app, { name: 'Bench', redirectUris, scopes: [...scopes] });
  return async (username) => {
    const { accountId, userId } = await createUser(app, {
      username,
      email: `${username}@bench.test`,
      password: 'correct horse battery staple',
      agreement: true,
      confirmed: true,
      approved: true,
      ...(roleId !== undefined && { roleId }),
    });
    const token = await createToken(app, { userId, applicationId, scopes: [...scopes] });
    return { accountId, token };
  };
}

/** Sets the scene on a seeded database: whatever an earlier run left is used again where that is the same. */
export async function createScene(app: App): Promise<Scene> {
  const name = `bench${Date.now().toString(36)}`;
  const create = await userCreator(app);
  const player = (role: string) => create(`${name}_${role}`);
  const players = async (role: string, count: number): Promise<readonly [BenchmarkUser, ...BenchmarkUser[]]> => {
    const others: BenchmarkUser[] = [];
    for (let at = 1; at < count; at += 1) others.push(await player(`${role}${at}`));
    return [await player(role), ...others];
  };
  const star = await player('star');
  const [readers, authors] = [await players('reader', readerCount), await players('author', authorCount)];
  const [author] = authors;
  const busy = await listBusiestAccounts(app, [...readers, ...authors, star]);
  const statusIds = await listPublicStatusIds(app);
  const threadId = await createThread(app, author.accountId);
  for (const { accountId } of readers) {
    for (const { id } of busy.slice(0, followedCount)) await followAccount(app, accountId, id);
    await createNotifications(app, accountId, busy);
  }
  const careful = await player('careful');
  const others = busy.slice(0, followedCount).map(({ id }) => id);
  return {
    readers,
    authors,
    star,
    starFollowers: await createFollowers(app, star.accountId, [
      ...readers.map(({ accountId }) => accountId),
      careful.accountId,
    ]),
    accountId: busy[0]?.id ?? author.accountId,
    threadId,
    statusIds,
    names: (await drawNames(app))[0]?.texts ?? [],
    heavy: await createHeavyScene(app, { reader: readers[0], author, careful, others }),
  };
}

/** Waits until nothing that was stored to be done is left. */
export async function waitForJobs(app: Pick<App, 'db'>): Promise<void> {
  for (const deadline = Date.now() + 120_000; ;) {
    const { rows } =
      await sql`select 1 as benchmark from jobs where exhausted_at is null and run_at <= now() limit 1`.execute(app.db);
    if (rows.length === 0) return;
    if (Date.now() > deadline) throw new Error('the stored work does not end');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns the local accounts with most posts. */
export async function listBusiestAccounts(
  app: App,
  players: readonly Pick<BenchmarkUser, 'accountId'>[],
): Promise<{ id: AccountId; local: boolean }[]> {
  return app.db
    .selectFrom('accounts')
    .innerJoin('account_stats', 'account_stats.account_id', 'accounts.id')
    .select(['accounts.id', sql<boolean>`accounts.domain is null`.as('local')])
    .where(
      'accounts.id',
      'not in',
      players.map(({ accountId }) => accountId),
    )
    .where('accounts.locked', '=', false)
    .where('accounts.suspended_at', 'is', null)
    .where('accounts.activated', '=', true)
    .where('accounts.domain', 'is', null)
    .where('accounts.username', 'not like', 'bench%')
    .orderBy('account_stats.statuses_count', 'desc')
    .limit(followedCount)
    .execute();
}

async function listPublicStatusIds(app: App): Promise<StatusId[]> {
  const rows = await app.db
    .selectFrom('statuses')
    .select('id')
    .where('visibility', '=', 'public')
    .where('reblog_of_id', 'is', null)
    .where('deleted_at', 'is', null)
    .where('local', '=', true)
    .orderBy('id', 'desc')
    .limit(20_000)
    .execute();
  return rows.map(({ id }) => id);
}

/** A post with answers three deep. */
async function createThread(app: App, accountId: AccountId): Promise<StatusId> {
  const root = await postStatus(app, accountId, { text: 'What a day this was. Tell me about yours!' });
  const ids = [root];
  for (let count = 0; count < threadReplyCount; count += 1) {
    const inReplyToId = ids[count < 20 ? 0 : count - 19] ?? root;
    ids.push(
      await postStatus(app, accountId, {
        text: `Answer ${count}: it went on and on, and then some more.`,
        inReplyToId,
      }),
    );
  }
  return root;
}

/** Favourites and follows that notify the reader. */
export async function createNotifications(
  app: App,
  readerId: AccountId,
  others: readonly { id: AccountId }[],
): Promise<void> {
  const posts: StatusId[] = [];
  for (let count = 0; count < 10; count += 1)
    posts.push(await postStatus(app, readerId, { text: `Popular post ${count}` }));
  for (const [index, { id }] of others.slice(0, 80).entries()) {
    const post = posts[index % posts.length];
    if (post !== undefined) await favouriteStatus(app, id, post);
    if (index % 4 === 0) await followAccount(app, id, readerId);
  }
}

/** Makes all local accounts except `others` follow the star, with stored feeds. Returns their number. */
export async function createFollowers(app: App, starId: AccountId, others: readonly AccountId[]): Promise<number> {
  const now = app.clock.now();
  return transaction(app, async ({ db }) => {
    const fans = await db
      .selectFrom('accounts')
      .select('id')
      .where('domain', 'is', null)
      .where('id', 'not in', [starId, ...others, '-99' as AccountId])
      .limit(maxStarFollowers)
      .execute();
    const fanIds = fans.map(({ id }) => id);
    const followIds = fanIds.map(() => newId<'row'>(now) satisfies RowId);
    await sql`
      insert into follows (id, account_id, target_account_id, created_at)
      select id, account_id, ${starId}::bigint, ${now}
      from unnest(${followIds}::bigint[], ${fanIds}::bigint[]) t (id, account_id)`.execute(db);
    await sql`
      insert into home_feed_states (account_id, complete_from, used_at)
      select id, ${newId<'status'>(now)}::bigint, ${now} from unnest(${fanIds}::bigint[]) t (id) on conflict do nothing`.execute(
      db,
    );
    await sql`
      update account_stats set followers_count = ${fanIds.length}::int, local_followers_count = ${fanIds.length}::int
      where account_id = ${starId}`.execute(db);
    return fanIds.length;
  });
}
