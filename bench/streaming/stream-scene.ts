import { sql } from 'kysely';
import type { App } from '../../server/platform/app.ts';
import { transaction, type Transaction } from '../../server/platform/write/transaction.ts';
import type { AccountId } from '../../server/platform/ids.ts';
import { createApplication, createToken } from '../../server/oauth/index.ts';
import { hashSecret } from '../../server/users/sign-in/index.ts';
import { createUser } from '../../server/users/sign-up/index.ts';

/** Authors, and readers who follow them. Each has blocks, mutes, filters, and a list with the authors. */
export interface StreamScene {
  /** Token of an author whose posts are written into the feeds of all readers. */
  readonly authorToken: string;
  /** Token of an author with too many followers for that: home timelines merge the posts when they are read. */
  readonly starToken: string;
  /** Token of an author with few followers. */
  readonly smallToken: string;
  readonly readerTokens: readonly string[];
}

export interface SceneSize {
  readonly readers: number;
  readonly fewReaders: number;
}

/** Local accounts that each reader blocks and mutes. */
const hiddenPerReader = 10;
const followedPerReader = 20;
const keywordsPerReader = 10;
/** Above `mergeThreshold` of feeds. */
const starFollowers = 60_000;

export async function createStreamScene(app: App, { readers, fewReaders }: SceneSize): Promise<StreamScene> {
  const password = 'correct horse battery';
  const create = (username: string) =>
    createUser(app, {
      username,
      email: `${username}@mail.test`,
      password,
      agreement: true,
      confirmed: true,
      approved: true,
    });
  const { id: applicationId } = await createApplication(app, {
    name: 'Bench',
    redirectUris: ['urn:ietf:wg:oauth:2.0:oob'],
    scopes: ['read', 'write'],
    website: 'https://bench.test',
  });
  const createAuthor = async (username: string) => {
    const { userId, accountId } = await create(username);
    return { accountId, token: await createToken(app, { userId, applicationId, scopes: ['read', 'write'] }) };
  };
  const [author, star, small] = [await createAuthor('author'), await createAuthor('star'), await createAuthor('small')];
  const template = await create('reader');
  const templateToken = await createToken(app, { userId: template.userId, applicationId, scopes: ['read'] });
  const readerTokens = Array.from({ length: readers }, (_, index) => `reader-${index}-${'x'.repeat(30)}`);
  await transaction(app, async (tx) => {
    await cloneReaders(tx, template.accountId, readerTokens, hashSecret(templateToken));
    await relateReaders(tx, readers);
    await followAuthor(tx, author.accountId, { readers, localFollowers: readers });
    await followAuthor(tx, star.accountId, { readers, localFollowers: starFollowers });
    await followAuthor(tx, small.accountId, { readers: fewReaders, localFollowers: fewReaders });
    for (const table of ['accounts', 'users', 'oauth_tokens', 'follows', 'blocks', 'mutes', 'list_accounts', 'filters'])
      await sql`analyze ${sql.table(table)}`.execute(tx.db);
  });
  return { authorToken: author.token, starToken: star.token, smallToken: small.token, readerTokens };
}

/** The ids of readers: `base + index`. */
const base = '1000000000000';

/** Copies the rows of one reader, so that each has its account, user and token. */
async function cloneReaders(
  { db }: Transaction,
  templateId: AccountId,
  tokens: readonly string[],
  templateHash: Buffer,
): Promise<void> {
  const last = tokens.length - 1;
  await sql`
    insert into accounts select (jsonb_populate_record(a, jsonb_build_object(
      'id', ${base}::bigint + i, 'username', 'reader' || i, 'uri', a.uri || i, 'url', a.url || i))).*
    from accounts a, generate_series(0, ${last}::int) i where a.id = ${templateId}`.execute(db);
  await sql`
    insert into account_stats select (jsonb_populate_record(a, jsonb_build_object('account_id', ${base}::bigint + i))).*
    from account_stats a, generate_series(0, ${last}::int) i where a.account_id = ${templateId}`.execute(db);
  await sql`
    insert into users select (jsonb_populate_record(u, jsonb_build_object(
      'id', ${base}::bigint + i, 'account_id', ${base}::bigint + i, 'email', 'reader' || i || '@mail.test'))).*
    from users u, generate_series(0, ${last}::int) i where u.account_id = ${templateId}`.execute(db);
  await sql`
    insert into oauth_tokens select (jsonb_populate_record(t, jsonb_build_object(
      'id', ${base}::bigint + i - 1, 'user_id', ${base}::bigint + i - 1, 'token_hash', hash))).*
    from oauth_tokens t, unnest(${tokens.map((token) => `\\x${hashSecret(token).toString('hex')}`)}::text[])
      with ordinality as hashes(hash, i)
    where t.token_hash = ${templateHash}`.execute(db);
}

const reader = sql`(${base}::bigint + i)`;

/** Relates readers to each other, so that their caches are filled, and stores their filters, lists and feeds. */
async function relateReaders({ db }: Transaction, readers: number): Promise<void> {
  const all = sql`generate_series(0, ${readers - 1}::int) i`;
  /** `count` readers for each one, at a distance from it. */
  const others = (count: number) => sql`${all} cross join generate_series(1, ${count}::int) n`;
  const other = (distance: number) => sql`(${base}::bigint + (i + ${distance}::int + n) % ${readers}::int)`;
  await sql`insert into blocks (id, account_id, target_account_id, created_at)
    select ${reader} * 100 + n, ${reader}, ${other(0)}, now() from ${others(hiddenPerReader)}`.execute(db);
  await sql`insert into mutes (id, account_id, target_account_id, hide_notifications, created_at)
    select ${reader} * 100 + n, ${reader}, ${other(20)}, true, now() from ${others(hiddenPerReader)}`.execute(db);
  await sql`insert into follows (id, account_id, target_account_id, show_reblogs, notify, created_at)
    select ${reader} * 100 + n, ${reader}, ${other(40)}, true, false, now() from ${others(followedPerReader)}`.execute(
    db,
  );
  await sql`insert into lists (id, account_id, title, replies_policy, exclusive, created_at)
    select ${reader}, ${reader}, 'List', 'list', false, now() from ${all}`.execute(db);
  await sql`insert into filters (id, account_id, title, context, action, created_at)
    select ${reader}, ${reader}, 'Filter', array['home'], 'warn', now() from ${all}`.execute(db);
  await sql`insert into filter_keywords (id, filter_id, keyword, whole_word)
    select ${reader} * 100 + n, ${reader}, 'word' || n || 'x' || i, true from ${others(keywordsPerReader)}`.execute(db);
  await sql`insert into home_feed_states (account_id, complete_from, used_at)
    select ${reader}, 0, now() from ${all}`.execute(db);
}

/** Lets the first readers follow an author and put it into their lists. */
async function followAuthor(
  { db }: Transaction,
  authorId: AccountId,
  { readers, localFollowers }: { readonly readers: number; readonly localFollowers: number },
): Promise<void> {
  const all = sql`generate_series(0, ${readers - 1}::int) i`;
  const id = sql`(${authorId}::bigint + i + 1)`;
  await sql`insert into follows (id, account_id, target_account_id, show_reblogs, notify, created_at)
    select ${id}, ${reader}, ${authorId}::bigint, true, false, now() from ${all}`.execute(db);
  await sql`insert into list_accounts (id, list_id, account_id, owner_id, exclusive)
    select ${id}, ${reader}, ${authorId}::bigint, ${reader}, false from ${all}`.execute(db);
  await sql`update account_stats set followers_count = ${readers}::int, local_followers_count = ${localFollowers}::int,
    version = version + 1 where account_id = ${authorId}::bigint`.execute(db);
}
