import { createHash } from 'node:crypto';
import { findAccountByAcct, type AccountRow } from '../accounts/find/index.ts';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { newId, type AccountId } from '../platform/ids.ts';
import type { PageMetadata } from './build-page-metadata.ts';
import { cardCreatorUnresolved } from './events.ts';
import { fetchPage } from './fetch-page.ts';
import { writable, type CardId } from './tables.ts';

/** The card of a link; null: none. */
export interface LinkCard {
  readonly cardId: CardId | null;
  /** When to retry, if the host did not respond. */
  readonly retryAt?: Date;
}

interface LinkRow {
  readonly card_id: CardId | null;
  readonly next_read_at: Date;
  readonly failures: number;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** See limits.tsv, link preview refetch. */
const cardTtlMs = 14 * dayMs;
/** A page without a card may get one later, but is not fetched for each post. */
const noCardTtlMs = dayMs;
/** Delays before the second, third and fourth attempt. */
const retryDelaysMs = [minuteMs, 15 * minuteMs, 2 * 60 * minuteMs];

const linkRow = preparedQuery<LinkRow>()((db, { url }: { url: string }) =>
  db.selectFrom('card_links').select(['card_id', 'next_read_at', 'failures']).where('url', '=', url),
);

/** Returns the stored card of a normalised link, or undefined if the page must be fetched. Sends no request. */
export async function findLinkCard(app: App, url: string): Promise<LinkCard | undefined> {
  const [row] = await linkRow(app, { url });
  if (row === undefined || row.next_read_at <= app.clock.now()) return undefined;
  return row.failures > 0 && row.card_id === null ? undefined : { cardId: row.card_id };
}

/**
 * Returns the card of a normalised link. Fetches the page if that has never been done or was 14 days ago. Jobs that call
 * this must have the key `linkJobKey`, so that posts with the same link cause one request. Stores nothing if the fetch
 * budget is used up: the next post with the link fetches the page.
 */
export async function fetchLinkCard(app: App, url: string): Promise<LinkCard> {
  const [row] = await linkRow(app, { url });
  if (row !== undefined && row.next_read_at > app.clock.now()) return toLinkCard(row);
  const result = await fetchPage(app, url);
  if (result === 'over-budget') return { cardId: row?.card_id ?? null };
  // Loaded before the transaction, which would need a second connection for it.
  const creator = typeof result === 'string' ? undefined : await findCreator(app, result.facts);
  return transaction(app, async (tx) => {
    if (result === 'unanswered') return storeLinkFailure(tx, app, { url, row });
    if (result === 'nothing') return storeLinkResult(tx, app, { url, cardId: null });
    const cardId = await storeCard(tx, app, { ...result, creator });
    return storeLinkResult(tx, app, { url, cardId });
  });
}

/** Returns the key of the jobs that fetch a link. */
export const linkJobKey = (url: string): string => `card:${createHash('sha256').update(url).digest('base64url')}`;

function toLinkCard({ card_id: cardId, failures, next_read_at: againAt }: LinkRow): LinkCard {
  return failures > 0 && failures <= retryDelaysMs.length && cardId === null
    ? { cardId, retryAt: againAt }
    : { cardId };
}

async function storeLinkResult(
  { db }: Transaction,
  app: App,
  { url, cardId, failures = 0, lifetime }: { url: string; cardId: CardId | null; failures?: number; lifetime?: number },
): Promise<LinkCard> {
  const now = app.clock.now();
  const next = new Date(now.getTime() + (lifetime ?? (cardId === null ? noCardTtlMs : cardTtlMs)));
  const row = { card_id: cardId, read_at: now, next_read_at: next, failures };
  await writable(db)
    .insertInto('card_links')
    .values({ url, ...row })
    .onConflict((conflict) => conflict.column('url').doUpdateSet(row))
    .execute();
  return toLinkCard(row);
}

/** Stores a failed attempt. An existing card stays; a link without one is retried a few times, then after a day. */
function storeLinkFailure(
  tx: Transaction,
  app: App,
  { url, row }: { url: string; row: LinkRow | undefined },
): Promise<LinkCard> {
  const cardId = row?.card_id ?? null;
  const before = row?.failures ?? 0;
  const failures = before > retryDelaysMs.length ? 1 : before + 1;
  const lifetime = cardId === null ? (retryDelaysMs[failures - 1] ?? noCardTtlMs) : noCardTtlMs;
  return storeLinkResult(tx, app, { url, cardId, failures, lifetime });
}

/** Returns the account that a page names as its creator, if it is known. */
async function findCreator(app: App, { creator }: PageMetadata): Promise<AccountRow | undefined> {
  return creator === null ? undefined : findAccountByAcct(app, creator);
}

async function storeCard(
  tx: Transaction,
  app: App,
  { url, facts, creator }: { url: string; facts: PageMetadata; creator: AccountRow | undefined },
): Promise<CardId> {
  const now = app.clock.now();
  const creator_account_id: AccountId | null = creator?.id ?? null;
  const row = { ...facts, creator_account_id, updated_at: now };
  const { id } = await writable(tx.db)
    .insertInto('preview_cards')
    .values({ id: newId<'card'>(now), url, ...row, created_at: now })
    .onConflict((conflict) => conflict.column('url').doUpdateSet(row))
    .returning('id')
    .executeTakeFirstOrThrow();
  if (facts.creator !== null && creator === undefined) tx.emit(cardCreatorUnresolved({ cardId: id }));
  return id;
}
