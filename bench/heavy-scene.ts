import { sql } from 'kysely';
import { addToList, createList } from '../server/lists/index.ts';
import type { App } from '../server/platform/app.ts';
import { transaction } from '../server/platform/write/transaction.ts';
import { newId, type AccountId, type ListId, type StatusId } from '../server/platform/ids.ts';
import { followAccount } from '../server/relationships/follow/index.ts';
import { postStatus } from '../server/statuses/post/index.ts';
import { ensureTags } from '../server/tags/index.ts';
import type { BenchmarkUser } from './scene.ts';

/** What makes reading hard: much to choose from, much to leave out. */
export interface HeavyScene {
  /** Follows who the reader follows, mutes 1,000 accounts and blocks 300 servers. */
  readonly filteringReader: BenchmarkUser;
  /** A list of the reader with 100 members. */
  readonly listId: ListId;
  /** A hashtag of 100,000 posts. */
  readonly tag: string;
  /** A post with 500 answers. */
  readonly longThreadId: StatusId;
}

const listMemberCount = 100;
const taggedPostCount = 100_000;
const longThreadReplyCount = 500;
const muteCount = 1_000;
const domainBlockCount = 300;

/** Creates the scene. `others` are the accounts that the reader follows. */
export async function createHeavyScene(
  app: App,
  people: { reader: BenchmarkUser; author: BenchmarkUser; careful: BenchmarkUser; others: readonly AccountId[] },
): Promise<HeavyScene> {
  const { reader, author, careful, others } = people;
  const { id } = await createList(app, reader.accountId, { title: 'Friends' });
  const listId = id as ListId;
  await addToList(app, { accountId: reader.accountId, listId, memberIds: others.slice(0, listMemberCount) });
  for (const other of others) await followAccount(app, careful.accountId, other);
  await insertMutesAndBlocks(app, careful.accountId, others);
  const tag = 'benchmark';
  await fillTag(app, tag);
  return { filteringReader: careful, listId, tag, longThreadId: await createLongThread(app, author.accountId) };
}

/** Mutes and blocks by the thousand; one by one they would take minutes. */
async function insertMutesAndBlocks(app: App, accountId: AccountId, followed: readonly AccountId[]): Promise<void> {
  const now = app.clock.now();
  await transaction(app, async ({ db }) => {
    const targets = await db
      .selectFrom('accounts')
      .select('id')
      .where('id', 'not in', [accountId, ...followed])
      .orderBy('id')
      .limit(muteCount)
      .execute();
    await sql`
      insert into mutes (id, account_id, target_account_id, created_at)
      select id, ${accountId}::bigint, target_id, ${now}
      from unnest(${targets.map(() => newId<'row'>(now))}::bigint[], ${targets.map(({ id }) => id)}::bigint[])
        as target(id, target_id)`.execute(db);
    const domains = Array.from({ length: domainBlockCount }, (_, at) => `unwanted-${at}.example`);
    await sql`
      insert into account_domain_blocks (id, account_id, domain, created_at)
      select id, ${accountId}::bigint, domain, ${now}
      from unnest(${domains.map(() => newId<'row'>(now))}::bigint[], ${domains}::text[]) as blocked(id, domain)`.execute(
      db,
    );
  });
}

async function fillTag(app: App, name: string): Promise<void> {
  await transaction(app, async (tx) => {
    const [tagId] = (await ensureTags(tx, [name], app.clock.now())).values();
    await sql`
      insert into status_tags (tag_id, status_id)
      select ${tagId}::bigint, id from statuses
      where visibility = 'public' and reblog_of_id is null and deleted_at is null
      order by id desc limit ${taggedPostCount}::int
      on conflict do nothing`.execute(tx.db);
  });
}

async function createLongThread(app: App, accountId: AccountId): Promise<StatusId> {
  const root = await postStatus(app, accountId, { text: 'Ask me anything' });
  let parents = [root];
  for (let made = 0; made < longThreadReplyCount; made += parents.length) {
    const few = parents.slice(0, 50);
    const wanted = Array.from({ length: Math.min(50, longThreadReplyCount - made) }, (_, at) => few[at % few.length]);
    parents = await Promise.all(
      wanted.map((inReplyToId, at) => postStatus(app, accountId, { text: `Question ${made + at}?`, inReplyToId })),
    );
  }
  return root;
}
