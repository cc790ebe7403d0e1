import { findAccount, type AccountRow } from '../../accounts/find/index.ts';
import {
  findOutboxRead,
  finishOutboxRead,
  isOutboxReadRunning,
  outboxReadRequested,
  queueOutboxRead,
  type OutboxPlace,
  type OutboxRead,
} from '../../accounts/remote/index.ts';
import { loadCachedAccounts } from '../../accounts/present/index.ts';
import { needsProof } from '../../interactions/policy/index.ts';
import type { App } from '../../platform/app.ts';
import { StoredFetchBudget, withFetchBudget } from '../../platform/outgoing/fetch-budget.ts';
import { later } from '../../platform/write/reactions.ts';
import { followRequested } from '../../relationships/index.ts';
import { loadCachedStatuses } from '../../statuses/read/index.ts';
import { isPublicOrUnlisted } from '../../statuses/visibility/index.ts';
import { storeOriginCounts, storeRemoteReblog } from '../../statuses/remote/index.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { authorOf, isNote, parseNote, visibilityOf } from '../documents/parse-note.ts';
import { dateOf, hostOf, idOf, idsOf, isObject, isSameHost, typeOf, type Json } from '../documents/values.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { fetchCollectionPart, type CollectionPart } from './fetch-collection.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { refreshStaleCollections } from './refresh-collections.ts';
import { resolveStatus } from './resolve-status.ts';
import { storeNote } from './store-note.ts';

/** One read: posts, and pages of the outbox. */
const readLimits = { items: 40, pages: 5 };

/** Reads the newest posts of a remote account that a local one follows. */
export const readFollowedOutbox = later('remote', [followRequested], {
  name: 'account.fetch_followed_outbox',
  run: async (app, { targetAccountId }) => {
    await queueOutboxRead(app, targetAccountId);
  },
});

/**
 * Reads posts of a remote account from its outbox after a user viewed or followed it: pinned ones first, then up to 40. What
 * it stores is no news (docs/decisions/0166).
 */
export const readOutbox = later('remote', [outboxReadRequested], {
  name: 'account.fetch_outbox',
  run: async (app, { accountId, older }) => {
    if (!(await isOutboxReadRunning(app, accountId))) return;
    const account = await findAccount(app, accountId);
    const isReadable =
      account !== undefined &&
      account.domain !== null &&
      account.suspended_at === null &&
      !(await isBlockedDomain(app, account.domain));
    await finishOutboxRead(app, accountId, isReadable ? await readPart(app, account, older) : { count: 0 });
  },
});

type ReadResult = Parameters<typeof finishOutboxRead>[2];

async function readPart(root: App, account: AccountRow, older: boolean): Promise<ReadResult> {
  if (!older) await refreshStaleCollections(withFetchBudget(root, new StoredFetchBudget(root)), account);
  const read = await findOutboxRead(root, account.id);
  const { outbox_url: outbox } = account;
  const start = older ? read?.next : outbox === null ? undefined : { page: outbox, offset: 0 };
  const app = withFetchBudget(root, new StoredFetchBudget(root));
  const part = start && (await fetchPart(app, start, account.uri));
  if (part === undefined) return { count: 0 };
  const count = await storeItems(app, account, part.items);
  return { count, read: combine(read, part, older) };
}

/** Returns how far an outbox is read after one more part. */
function combine(read: OutboxRead | undefined, { items, next }: CollectionPart, older: boolean): ReadResult['read'] {
  const times = items.flatMap((item) => publishedOf(item)?.getTime() ?? []);
  const [newest, oldest] = times.length === 0 ? [] : [new Date(Math.max(...times)), new Date(Math.min(...times))];
  if (older) return { next, newestAt: read?.newestAt, reachedAt: oldest ?? read?.reachedAt };
  // If new posts are more than one part, the posts between them and those of the last read are read as older ones.
  const isConnected = read?.newestAt !== undefined && oldest !== undefined && oldest <= read.newestAt;
  return isConnected ? { ...read, newestAt: newest } : { next, newestAt: newest, reachedAt: oldest };
}

/** Returns undefined if the outbox cannot be read. */
async function fetchPart(app: App, start: OutboxPlace, owner: string): Promise<CollectionPart | undefined> {
  try {
    return await fetchCollectionPart(app, start, owner, readLimits);
  } catch (error) {
    if (error instanceof FetchError || error instanceof DocumentError) return undefined;
    throw error;
  }
}

/**
 * Stores items of an outbox and returns how many are new. Embedded posts of the account come first, from the oldest on, so
 * that those in threads find their parents; then what needs requests, from the newest on, until the budget is used up.
 */
async function storeItems(app: App, account: AccountRow, items: readonly unknown[]): Promise<number> {
  const isEmbedded = (item: unknown): boolean => embeddedNoteOf(account, item) !== undefined;
  let count = 0;
  for (const item of [...items.filter(isEmbedded).toReversed(), ...items.filter((each) => !isEmbedded(each))]) {
    try {
      if (await storeItem(app, account, item)) count += 1;
    } catch (error) {
      if (!(error instanceof FetchError || error instanceof DocumentError)) throw error;
    }
  }
  return count;
}

async function storeItem(app: App, account: AccountRow, item: unknown): Promise<boolean> {
  const note = embeddedNoteOf(account, item);
  if (note !== undefined) return storePost(app, account, note, publishedOf(item));
  const activity = isObject(item) ? item : await fetchListed(app, account, item);
  if (activity === undefined || idOf(activity['actor']) !== account.uri) return false;
  if (typeOf(activity) === 'Announce') return storeReblog(app, account, activity);
  if (typeOf(activity) !== 'Create') return false;
  return storePost(app, account, embeddedNoteOf(account, activity) ?? activity['object'], publishedOf(activity));
}

/** Returns the post of the account that an item is, or that it creates, if the item embeds it. */
function embeddedNoteOf({ uri }: AccountRow, item: unknown): Json | undefined {
  if (!isObject(item)) return undefined;
  const isOwnCreate = typeOf(item) === 'Create' && idOf(item['actor']) === uri;
  const object = isOwnCreate ? item['object'] : item;
  const isOwn = isObject(object) && isNote(object) && isSameHost(idOf(object), uri) && authorOf(object) === uri;
  return isOwn ? object : undefined;
}

/** Fetches the activity or post with an id on the server of the account, unless it is known. */
async function fetchListed(app: App, { uri }: AccountRow, item: unknown): Promise<Json | undefined> {
  const id = idOf(item);
  if (id === undefined || !isSameHost(id, uri) || (await findStatusByUri(app, id)) !== undefined) return undefined;
  return fetchObject(app, id);
}

/** Stores a post of the account: an embedded one, or one that is named by its id and fetched. */
async function storePost(app: App, account: AccountRow, object: unknown, created: Date | undefined): Promise<boolean> {
  const uri = idOf(object);
  if (uri === undefined || !isSameHost(uri, account.uri)) return false;
  const known = await findStatusByUri(app, uri);
  if (known !== undefined) {
    const embedded = embeddedNoteOf(account, object);
    if (embedded !== undefined)
      await storeOriginCounts(app, [{ statusId: known.id, counts: parseNote(embedded).counts }]);
    return false;
  }
  const document = isObject(object) && authorOf(object) === account.uri ? object : await fetchObject(app, uri);
  const note = parseNote(document);
  const published = note.published ?? created;
  // Without a date it would be shown as the newest.
  if (note.attributedTo !== account.uri || published === undefined) return false;
  if ((await findStatusByUri(app, note.uri)) !== undefined) return false;
  const id = await storeNote(app, { ...note, published }, { author: account, backfilled: true });
  return id !== undefined;
}

/**
 * Stores a reblog of a remote post, which is fetched from its origin. Those of local posts were delivered if their authors
 * permitted them, and those that need a proof are left out.
 */
async function storeReblog(app: App, account: AccountRow, activity: Json): Promise<boolean> {
  const [uri, originalUri] = [idOf(activity), idOf(activity['object'])];
  const publishedAt = dateOf(activity['published']);
  const visibility = visibilityOf({ to: idsOf(activity['to']), cc: idsOf(activity['cc']) }, account.followers_url);
  if (uri === undefined || originalUri === undefined || publishedAt === undefined) return false;
  if (!isSameHost(uri, account.uri) || !isPublicOrUnlisted(visibility)) return false;
  if ((await findStatusByUri(app, uri)) !== undefined) return false;
  if (await isBlockedDomain(app, hostOf(originalUri) ?? '')) return false;
  const originalId = await resolveStatus(app, originalUri, { backfilled: true });
  const original = originalId && (await loadCachedStatuses(app, [originalId])).get(originalId);
  if (original === undefined || original.local || needsProof(original, account.id, 'reblog')) return false;
  const author = (await loadCachedAccounts(app, [original.accountId])).get(original.accountId);
  if (author === undefined || author.suspended || original.reblogOfId !== null) return false;
  const reblog = { uri, accountId: account.id, reblogOfId: original.id, visibility, publishedAt, backfilled: true };
  return (await storeRemoteReblog(app, reblog)) !== undefined;
}

/** Returns the time of an item: of the activity, or of the post that it creates. */
function publishedOf(item: unknown): Date | undefined {
  if (!isObject(item)) return undefined;
  const { object } = item;
  return dateOf(item['published']) ?? (isObject(object) ? dateOf(object['published']) : undefined);
}
