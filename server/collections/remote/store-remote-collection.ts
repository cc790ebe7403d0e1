import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId, type CollectionId, type TagId } from '../../platform/ids.ts';
import { ensureTags } from '../../tags/index.ts';
import { cleanText, truncateText, sanitizeHtml } from '../../text/index.ts';
import { findLanguage } from '../../text/languages/index.ts';
import { collectionCreated, collectionUpdated } from '../events.ts';
import type { CollectionRow } from '../read/find-collections.ts';
import { writable } from '../tables.ts';
import { storeRemoteItems, type RemoteCollectionItem } from './store-remote-items.ts';

/** Limits of a remote collection (reference/federation.tsv, "size limit"). The rest is cut off. */
const maxLengths = { name: 256, description: 2048 };

/** A remote collection. The caller has verified that `accountId` owns `uri`. */
export interface RemoteCollection {
  readonly uri: string;
  readonly url: string | undefined;
  readonly accountId: AccountId;
  readonly name: string;
  /** Unsanitised HTML. */
  readonly description: string;
  readonly language: string | undefined;
  readonly tagName: string | undefined;
  readonly sensitive: boolean;
  readonly discoverable: boolean;
  readonly publishedAt: Date | undefined;
  /** Of this version of the document. */
  readonly updatedAt: Date | undefined;
  readonly items: readonly RemoteCollectionItem[];
  /** URIs of further items, without their content. */
  readonly named: readonly string[];
}

/**
 * Inserts or updates a remote collection and deletes items that it no longer lists. New items are pending until their
 * authorization is checked (`recordItemResult`). Returns undefined if the URI belongs to another account.
 */
export async function storeRemoteCollection(app: App, remote: RemoteCollection): Promise<CollectionId | undefined> {
  return transaction(app, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`collection ${remote.uri}`}, 0))`.execute(tx.db);
    const before = await tx.db
      .selectFrom('collections')
      .selectAll()
      .where('uri', '=', remote.uri)
      .forUpdate()
      .executeTakeFirst();
    if (before !== undefined && (before.local || before.account_id !== remote.accountId)) return undefined;
    const id = await (before === undefined
      ? insertRemoteCollection(tx, app, remote)
      : updateRemoteCollection(tx, app, remote, before));
    await storeRemoteItems(tx, app, { collectionId: id, ownerId: remote.accountId, ...remote });
    return id;
  });
}

async function insertRemoteCollection(tx: Transaction, app: App, remote: RemoteCollection): Promise<CollectionId> {
  const now = app.clock.now();
  const id = newId<'collection'>(now);
  await writable(tx.db)
    .insertInto('collections')
    .values({
      id,
      account_id: remote.accountId,
      local: false,
      uri: remote.uri,
      ...toColumns(remote),
      tag_id: await ensureTagId(tx, app, remote),
      created_at: timeOrNow(app, remote.publishedAt),
      updated_at: timeOrNow(app, remote.updatedAt),
    })
    .execute();
  tx.emit(collectionCreated({ collectionId: id, accountId: remote.accountId, local: false }));
  return id;
}

async function updateRemoteCollection(
  tx: Transaction,
  app: App,
  remote: RemoteCollection,
  before: CollectionRow,
): Promise<CollectionId> {
  const text = toColumns(remote);
  await writable(tx.db)
    .updateTable('collections')
    .set({ ...text, tag_id: await ensureTagId(tx, app, remote), updated_at: timeOrNow(app, remote.updatedAt) })
    .where('id', '=', before.id)
    .execute();
  const renamed = text.name !== before.name || text.description !== before.description;
  if (renamed) {
    tx.emit(collectionUpdated({ collectionId: before.id, accountId: remote.accountId, local: false, renamed }));
  }
  return before.id;
}

/** Returns a time that another server claims, or the present time if it claims none or a later one. */
function timeOrNow(app: App, time: Date | undefined): Date {
  const now = app.clock.now();
  return time !== undefined && time < now ? time : now;
}

function toColumns({ url, name, description, language, sensitive, discoverable }: RemoteCollection) {
  return {
    url: url ?? null,
    name: truncateText(cleanText(name).trim(), maxLengths.name),
    description: sanitizeHtml(truncateText(description, maxLengths.description)),
    language: (language && findLanguage(language)) ?? null,
    sensitive,
    discoverable,
  };
}

async function ensureTagId(tx: Transaction, app: App, { tagName }: RemoteCollection): Promise<TagId | null> {
  if (tagName === undefined) return null;
  const [id] = [...(await ensureTags(tx, [tagName], app.clock.now())).values()];
  return id ?? null;
}
