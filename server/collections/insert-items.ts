import type { CachedAccount } from '../accounts/present/index.ts';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { newId, type CollectionId, type CollectionItemId } from '../platform/ids.ts';
import { writable } from './tables.ts';
import { featureAuthorizationUri, collectionItemUri, featureRequestUri } from './urls.ts';

interface NewItems {
  readonly collectionId: CollectionId;
  readonly owner: CachedAccount;
  readonly members: readonly CachedAccount[];
  /** Place of the first account; the others follow. */
  readonly firstPlace: number;
}

/** Returns the place after the last of these items. */
export const nextPlace = (items: readonly { readonly place: number }[]): number =>
  Math.max(0, ...items.map(({ place }) => place)) + 1;

/** Inserts items into a local collection: accepted ones for local accounts, pending ones for remote accounts. */
export async function insertItems(
  { db }: Transaction,
  app: App,
  { collectionId, owner, members, firstPlace }: NewItems,
): Promise<{ itemId: CollectionItemId; state: 'accepted' | 'pending' }[]> {
  if (members.length === 0) return [];
  const now = app.clock.now();
  const rows = members.map((member, index) => {
    const id = newId<'collection-item'>(now);
    const isLocal = member.domain === null;
    return {
      id,
      collection_id: collectionId,
      account_id: member.id,
      object_uri: member.uri,
      state: isLocal ? ('accepted' as const) : ('pending' as const),
      place: firstPlace + index,
      uri: collectionItemUri(app, owner.id, id),
      request_uri: isLocal ? null : featureRequestUri(owner.uri, id),
      approval_uri: isLocal ? featureAuthorizationUri(app, member.id, id) : null,
      created_at: now,
    };
  });
  await writable(db).insertInto('collection_items').values(rows).execute();
  return rows.map(({ id, state }) => ({ itemId: id, state }));
}
