import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { write, type Write } from '../platform/database/write.ts';
import type { AccountId, StatusId, TagId } from '../platform/ids.ts';
import { belongsInHome, involved, isExcluded } from './belongs-in-home.ts';
import { buildFeed } from './build-feed.ts';
import { feedLimits } from './feed-limits.ts';
import { endOfTime, graphQuery } from './follow-graph.ts';
import { belongsByTag, tagGraphQuery } from './followed-tags.ts';
import { homeFeed, insertEntries, lockFeed, setHorizon } from './kept-feed.ts';
import type { EntryRow } from './walk-sources.ts';

/** Whose posts, and those with which hashtags, may have to be brought into a feed. */
interface Change {
  readonly accountId: AccountId;
  readonly authors?: readonly AccountId[];
  readonly tags?: readonly TagId[];
}

interface Pair {
  readonly accountId: AccountId;
  readonly targetAccountId: AccountId;
}

/**
 * Makes the feed of `accountId` agree with how it stands to others now: removes what no longer belongs in it, and brings
 * what does of these authors and hashtags. Asks the tables and not the event, so that the order of the jobs does not
 * matter.
 */
export async function alignFeed(app: App, { accountId, authors = [], tags = [] }: Change): Promise<void> {
  await write(app, async (write) => {
    const horizon = await lockFeed(write, homeFeed(accountId));
    if (horizon === undefined || horizon === endOfTime) return;
    await removeUnwanted(app, write, accountId);
    const after = String(BigInt(horizon) - 1n) as StatusId;
    const stretch = { accountId, after, before: endOfTime, count: feedLimits(app).brought, now: app.clock.now() };
    if (authors.length > 0) await bring(write, stretch, graphQuery('desc', { ...stretch, authors }));
    if (tags.length > 0) await bring(write, stretch, tagGraphQuery('desc', { ...stretch, tags }));
  });
}

/** Removes from a feed what no longer belongs in it. */
export const alignOwn = (app: App, { accountId }: { accountId: AccountId }): Promise<void> =>
  alignFeed(app, { accountId });

/** Aligns a feed after a change between its owner and one other account. */
export const alignWith = (app: App, { accountId, targetAccountId }: Pair): Promise<void> =>
  alignFeed(app, { accountId, authors: [targetAccountId] });

/** Aligns the feeds of both with each other, for what ends follows in both directions. */
export async function alignBoth(app: App, { accountId, targetAccountId }: Pair): Promise<void> {
  await alignWith(app, { accountId, targetAccountId });
  await alignWith(app, { accountId: targetAccountId, targetAccountId: accountId });
}

async function removeUnwanted(app: App, write: Write, accountId: AccountId): Promise<void> {
  await removeWhatLeft(app, write, sql`entry.account_id = ${accountId}::bigint`);
}

/** Takes statuses that were edited out of the feeds where they no longer belong: a followed hashtag brought them there. */
export async function alignEdited(app: App, statusIds: readonly StatusId[]): Promise<void> {
  await write(app, (write) => removeWhatLeft(app, write, sql`entry.status_id = any(${statusIds}::bigint[])`));
}

async function removeWhatLeft(app: App, { db }: Write, chosen: RawBuilder<unknown>): Promise<void> {
  await sql`
    delete from home_feed entry
    where ${chosen} and not exists (
      select 1 from statuses s ${involved}
      where s.id = entry.status_id and (s.account_id = entry.account_id or exists (
        select 1 from follows f
        where f.account_id = entry.account_id and f.target_account_id = s.account_id
          and not ${isExcluded(sql`s.account_id`)} and ${belongsInHome(app.clock.now())}
      ) or exists (
        select 1 from tag_follows f join status_tags st on st.tag_id = f.tag_id
        where f.account_id = entry.account_id and st.status_id = s.id and ${belongsByTag(app.clock.now())})))`.execute(
    db,
  );
}

/** When there is more than is brought, the feed is complete only from the oldest post that was brought. */
async function bring(
  write: Write,
  { accountId, count }: { accountId: AccountId; count: number },
  query: RawBuilder<EntryRow>,
): Promise<void> {
  const { rows } = await query.execute(write.db);
  await insertEntries(write, homeFeed(accountId), rows);
  const oldest = rows.at(-1);
  if (rows.length === count && oldest !== undefined) await setHorizon(write, homeFeed(accountId), oldest.id);
}

/** Brings back all that was kept out of a feed because of an account: a new one is built in place of the old. */
export async function restoreFeed(app: App, { accountId }: { accountId: AccountId }): Promise<void> {
  await write(app, async (write) => {
    const horizon = await lockFeed(write, homeFeed(accountId));
    if (horizon === undefined || horizon === endOfTime) return;
    await setHorizon(write, homeFeed(accountId), endOfTime);
    write.enqueue(buildFeed({ accountId }));
  });
}
