import { sql } from 'kysely';
import type pg from 'pg';
import type { App } from '../../server/platform/app.ts';
import { connectForMaintenance } from '../../server/platform/wire/pool.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { refreshPopularity } from '../../server/accounts/refresh-popularity.ts';
import { normalizeTag } from '../../server/text/index.ts';
import { changeSiteSettings } from '../../server/site/index.ts';
import { ensureTags } from '../../server/tags/index.ts';
import { CliError } from '../../server/cli/cli-error.ts';
import { runForAllAccounts } from '../run-for-all-accounts.ts';
import { createListsAndCollections } from './lists-and-collections.ts';
import { CopyBuffer, copyNull } from './copy-buffer.ts';
import { buildHomeFeeds } from './build-home-feeds.ts';
import { generateFollows } from './generate-follows.ts';
import { multiplyDemo } from './multiply-demo.ts';
import { dropIndexes } from '../../server/platform/database/drop-indexes.ts';
import {
  accountBuffer,
  accountRow,
  generatePeople,
  userBuffer,
  userRow,
  unusablePasswordHash,
  type Person,
} from './people.ts';
import { demoId, PostGenerator } from './post-generator.ts';
import { Random } from './random.ts';
import { tags } from './vocabulary.ts';
import { generateBodies } from './generate-bodies.ts';

/** The size of the demo data. */
export interface DemoSize {
  readonly accounts: number;
  readonly statuses: number;
  readonly followsPerAccount: number;
  /** The same number creates the same data. */
  readonly seed: number;
  /** Posts that are generated; more of them are copies. Default: a million. */
  readonly maxGenerated?: number;
}

/** The result of `seedDemo`; the benchmark reads it. */
export interface DemoSummary {
  readonly accounts: number;
  readonly statuses: number;
  readonly follows: number;
  /** Usernames of local accounts with a home feed. */
  readonly active: readonly string[];
  /** Id of the status with the longest thread. */
  readonly longest_thread: string;
  readonly seconds: number;
}

type Progress = (step: string, share: number) => void;

const batchSize = 5_000;
/** Tables with most of the rows: their indexes are dropped during the copy. */
const bulkTables =
  'statuses status_stats status_tags status_search quotes account_conversations mentions favourites follows notifications conversations'.split(
    ' ',
  );
const maxDistinctBodies = 10_000;
const defaultMaxGenerated = 1_000_000;

/**
 * Fills the database with accounts and a year of posts in one transaction, which blocks a running server. Then updates the
 * planner statistics, builds the home feeds of active users and opens registrations. Throws CliError if the database has
 * demo data or real accounts.
 */
export async function seedDemo(app: App, size: DemoSize, progress: Progress): Promise<DemoSummary> {
  const began = Date.now();
  const now = app.clock.now();
  const random = new Random(size.seed);
  const parts = Math.ceil(size.statuses / (size.maxGenerated ?? defaultMaxGenerated));
  const [accounts, statuses] = [Math.ceil(size.accounts / parts), Math.ceil(size.statuses / parts)];
  const people = generatePeople(random, accounts, app.config, now.getTime());
  await assertNotSeeded(app, people);
  await assertNoRealAccounts(app);
  const tagIds = await createTags(app, now);
  const bodies = await generateBodies(app, random, Math.min(maxDistinctBodies, statuses));
  const posts = new PostGenerator({ random, people, bodies, tagIds, statuses, now: now.getTime() });
  const client = await connectForMaintenance(app.directConnection);
  let follows = 0;
  try {
    await beginBulkLoad(client);
    const rebuildIndexes = await dropIndexes(client, bulkTables);
    await copyPeople(client, random, { people, now });
    follows = await copyFollows(client, random, { people, posts, average: size.followsPerAccount, now, progress });
    await copyPosts(client, posts, statuses, progress);
    if (parts > 1)
      await multiplyDemo(client, { people, copies: parts - 1 }, (share) => progress('Copying everything', share));
    await rebuildIndexes((share) => progress('Building indexes', share));
    await updatePostCounts(client);
    await client.query('commit');
    progress('Updating statistics', 0);
    await client.query('vacuum (analyze)');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    // Closes the connection, because its settings were changed.
    await client.end();
  }
  await changeSiteSettings(app, 'system', { registrations: 'open' });
  const active = people.filter((person) => person.active);
  await runForAllAccounts(app, refreshPopularity);
  await createListsAndCollections(app, active);
  await buildHomeFeeds(app, active, (share) => progress('Building home feeds', share));
  return {
    accounts: accounts * parts,
    statuses: statuses * parts,
    follows: follows * parts,
    active: active.map(({ username }) => username),
    longest_thread: posts.idAt(posts.threads.largestRoot),
    seconds: Math.round((Date.now() - began) / 100) / 10,
  };
}

async function assertNotSeeded(app: App, people: readonly Person[]): Promise<void> {
  const { rows } =
    await sql`select from accounts where uri = any(${people.slice(0, 100).map(({ uri }) => uri)}::text[]) limit 1`.execute(
      app.db,
    );
  if (rows.length > 0)
    throw new CliError('This database already has demo data. Start with an empty one (another DATA_DIR).');
}

/** Demo users have no password, so a user with a password is real. */
async function assertNoRealAccounts(app: App): Promise<void> {
  const { rows } = await sql<{ username: string }>`
    select a.username from users u join accounts a on a.id = u.account_id
    where u.password_hash <> ${unusablePasswordHash} order by u.id limit 1`.execute(app.db);
  const [first] = rows;
  if (first === undefined) return;
  throw new CliError(
    `This database has real accounts (@${first.username} is one). Start with an empty one (another DATA_DIR).`,
  );
}

async function createTags(app: App, now: Date): Promise<string[]> {
  const idByName = await transaction(app, (tx) => ensureTags(tx, [...tags], now, [...tags]));
  return tags.map((tag) => {
    const id = idByName.get(normalizeTag(tag));
    if (id === undefined) throw new Error(`the tag ${tag} was not created`);
    return id;
  });
}

/** Foreign keys are valid by construction. Without permission to disable their checks, the copy is slower. */
async function beginBulkLoad(client: pg.Client): Promise<void> {
  await client.query('set synchronous_commit = off');
  await client.query("set maintenance_work_mem = '256MB'");
  await client.query('set session_replication_role = replica').catch(() => {});
  await client.query('begin');
}

async function copyPeople(
  client: pg.Client,
  random: Random,
  { people, now }: { people: readonly Person[]; now: Date },
): Promise<void> {
  const accounts = accountBuffer();
  const users = userBuffer();
  for (const person of people) {
    accounts.add(accountRow(random, person, now));
    if (person.domain === null) users.add(userRow(random, person, now));
  }
  await accounts.flush(client);
  await users.flush(client);
}

interface FollowsOptions {
  readonly people: readonly Person[];
  readonly posts: PostGenerator;
  readonly average: number;
  readonly now: Date;
  readonly progress: Progress;
}

/** Copies the follows and their counters. Returns the number of follows. */
async function copyFollows(client: pg.Client, random: Random, options: FollowsOptions): Promise<number> {
  const { people, posts, average, now, progress } = options;
  const follows = new CopyBuffer('follows', ['id', 'account_id', 'target_account_id', 'uri', 'created_at']);
  const following = new Int32Array(people.length);
  const followers = new Int32Array(people.length);
  const localFollowers = new Int32Array(people.length);
  let count = 0;
  for (const follow of generateFollows(random, people.length, average, now.getTime())) {
    const follower = people[follow.follower] as Person;
    const id = demoId(follow.at, follow.sequence);
    const uri = follower.domain === null ? copyNull : `${follower.uri}#follows/${id}`;
    follows.add([id, follower.id, people[follow.target]?.id, uri, new Date(follow.at).toISOString()].join('\t'));
    posts.notifications.add('follow', { to: follow.target, from: follow.follower, id, at: follow.at, statusId: null });
    following[follow.follower] = (following[follow.follower] ?? 0) + 1;
    followers[follow.target] = (followers[follow.target] ?? 0) + 1;
    if (follower.domain === null) localFollowers[follow.target] = (localFollowers[follow.target] ?? 0) + 1;
    count += 1;
    if (count % (batchSize * 2) !== 0) continue;
    await follows.flush(client);
    await posts.buffers.notifications.flush(client);
    progress('Creating follows', follow.follower / people.length);
  }
  await follows.flush(client);
  await posts.buffers.notifications.flush(client);
  const stats = new CopyBuffer('account_stats', [
    'account_id',
    'followers_count',
    'following_count',
    'local_followers_count',
  ]);
  for (const [index, { id }] of people.entries())
    stats.add([id, followers[index], following[index], localFollowers[index]].join('\t'));
  await stats.flush(client);
  return count;
}

async function copyPosts(client: pg.Client, posts: PostGenerator, statuses: number, progress: Progress): Promise<void> {
  for (let place = 0; place < statuses;) {
    for (const end = Math.min(place + batchSize, statuses); place < end; place += 1) posts.generate(place);
    for (const buffer of Object.values(posts.buffers)) await buffer.flush(client);
    progress('Creating posts', place / statuses);
  }
  const stats = new CopyBuffer('status_stats', [
    'status_id',
    'replies_count',
    'reblogs_count',
    'favourites_count',
    'quotes_count',
  ]);
  let rows = 0;
  for (const row of posts.statsRows()) {
    stats.add(row);
    rows += 1;
    if (rows % (batchSize * 10) === 0) await stats.flush(client);
  }
  await stats.flush(client);
}

async function updatePostCounts(client: pg.Client): Promise<void> {
  await client.query(`update account_stats stats set statuses_count = counted.count, last_status_at = counted.last
    from (select account_id, count(*) filter (where visibility <> 'direct')::int as count, max(created_at) as last
      from statuses group by account_id) counted
    where counted.account_id = stats.account_id`);
}
