import { sql } from 'kysely';
import type { App } from '../server/platform/app.ts';
import { transaction, type Transaction } from '../server/platform/database/transaction.ts';
import type { AccountId } from '../server/platform/ids.ts';
import { createApplication, createToken } from '../server/oauth/index.ts';
import { hashSecret } from '../server/users/sign-in/index.ts';
import { createUser } from '../server/users/sign-up/index.ts';

/** An author, and readers who follow it. Each has blocks, mutes, filters and a list with the author. */
export interface StreamScene {
  readonly authorToken: string;
  readonly readerTokens: readonly string[];
}

/** Local accounts that each reader blocks and mutes. */
const hiddenPerReader = 10;
const keywordsPerReader = 10;

export async function createStreamScene(app: App, readers: number): Promise<StreamScene> {
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
  const [author, template] = [await create('author'), await create('reader')];
  const { id: applicationId } = await createApplication(app, {
    name: 'Bench',
    redirectUris: ['urn:ietf:wg:oauth:2.0:oob'],
    scopes: ['read', 'write'],
    website: 'https://bench.test',
  });
  const authorToken = await createToken(app, { userId: author.userId, applicationId, scopes: ['read', 'write'] });
  const templateToken = await createToken(app, { userId: template.userId, applicationId, scopes: ['read'] });
  const readerTokens = Array.from({ length: readers }, (_, index) => `reader-${index}-${'x'.repeat(30)}`);
  await transaction(app, async (tx) => {
    await cloneReaders(tx, template.accountId, readerTokens, hashSecret(templateToken));
    await relateReaders(tx, author.accountId, readers);
  });
  return { authorToken, readerTokens };
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

async function relateReaders({ db }: Transaction, authorId: AccountId, readers: number): Promise<void> {
  const last = readers - 1;
  const reader = sql`(${base}::bigint + i)`;
  await sql`
    insert into follows (id, account_id, target_account_id, show_reblogs, notify, created_at)
    select ${reader}, ${reader}, ${authorId}, true, false, now() from generate_series(0, ${last}::int) i`.execute(db);
  await sql`update account_stats set followers_count = ${readers}, local_followers_count = ${readers}, version = version + 1
    where account_id = ${authorId}`.execute(db);
  const others = sql`generate_series(0, ${last}::int) i cross join generate_series(1, ${hiddenPerReader}::int) n`;
  const other = sql`(${base}::bigint + (i + n) % ${readers}::int)`;
  await sql`insert into blocks (id, account_id, target_account_id, created_at)
    select ${reader} * 100 + n, ${reader}, ${other}, now() from ${others}`.execute(db);
  await sql`insert into mutes (id, account_id, target_account_id, hide_notifications, created_at)
    select ${reader} * 100 + n, ${reader}, (${base}::bigint + (i + 20 + n) % ${readers}::int), true, now() from ${others}`.execute(
    db,
  );
  await sql`insert into lists (id, account_id, title, replies_policy, exclusive, created_at)
    select ${reader}, ${reader}, 'List', 'list', false, now() from generate_series(0, ${last}::int) i`.execute(db);
  await sql`insert into list_accounts (id, list_id, account_id, owner_id, exclusive)
    select ${reader}, ${reader}, ${authorId}, ${reader}, false from generate_series(0, ${last}::int) i`.execute(db);
  await sql`insert into filters (id, account_id, title, context, action, created_at)
    select ${reader}, ${reader}, 'Filter', array['home'], 'warn', now()
    from generate_series(0, ${last}::int) i`.execute(db);
  await sql`insert into filter_keywords (id, filter_id, keyword, whole_word)
    select ${reader} * 100 + n, ${reader}, 'word' || n || 'x' || i, true
    from generate_series(0, ${last}::int) i cross join generate_series(1, ${keywordsPerReader}::int) n`.execute(db);
  await sql`insert into home_feed_states (account_id, complete_from, used_at)
    select ${reader}, 0, now() from generate_series(0, ${last}::int) i`.execute(db);
  for (const table of ['accounts', 'users', 'oauth_tokens', 'follows', 'blocks', 'mutes', 'list_accounts', 'filters'])
    await sql`analyze ${sql.table(table)}`.execute(db);
}
