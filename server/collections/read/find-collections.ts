import { sql, type Selectable } from 'kysely';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { forbidden, notFound } from '../../platform/http/http-errors.ts';
import type { AccountId, CollectionId } from '../../platform/ids.ts';
import { loadAccountRelations } from '../../relationships/rules/index.ts';
import type { CollectionTables } from '../tables.ts';

export type CollectionRow = Selectable<CollectionTables['collections']>;
export type CollectionItemRow = Selectable<CollectionTables['collection_items']>;

const selectById = preparedQuery<CollectionRow>()((db, { id }: { id: CollectionId }) =>
  db
    .selectFrom('collections')
    .innerJoin('accounts', 'accounts.id', 'collections.account_id')
    .selectAll('collections')
    .where('collections.id', '=', id)
    .where('accounts.suspended_at', 'is', null)
    .where('accounts.deleted_at', 'is', null),
);

/** Finds a collection; undefined if there is none, or its owner is suspended. */
export async function findCollection(app: App, id: CollectionId): Promise<CollectionRow | undefined> {
  return (await selectById(app, { id }))[0];
}

/** Finds the stored collection with this ActivityPub id or page. Never uses the network. */
export async function findCollectionByUri(app: App, address: string): Promise<CollectionRow | undefined> {
  return (await selectByUriOrUrl(app, { address }))[0];
}

const selectByUriOrUrl = preparedQuery<CollectionRow>()((db, { address }: { address: string }) =>
  db
    .selectFrom('collections')
    .innerJoin('accounts', 'accounts.id', 'collections.account_id')
    .selectAll('collections')
    .where(sql<boolean>`(collections.uri = ${address} or collections.url = ${address})`)
    .where('accounts.suspended_at', 'is', null)
    .where('accounts.deleted_at', 'is', null)
    .orderBy(sql`collections.uri = ${address}`, 'desc')
    .limit(1),
);

/**
 * Returns a collection if the viewer may see it. Everyone with the id may, except accounts that the owner blocks (403).
 * Throws 404 if it does not exist, or its owner is suspended.
 */
export async function requireVisibleCollection(
  app: App,
  viewerId: AccountId | undefined,
  id: CollectionId,
): Promise<CollectionRow> {
  const collection = await findCollection(app, id);
  if (collection === undefined) throw notFound();
  if (viewerId !== undefined && (await loadAccountRelations(app, viewerId)).blockedBy.has(collection.account_id)) {
    throw forbidden();
  }
  return collection;
}

/** Locks a collection for its owner, so that counts in it are stable. Throws 404 if there is none, 403 for others. */
export async function lockCollection(
  { db }: Transaction,
  ownerId: AccountId,
  id: CollectionId,
): Promise<CollectionRow> {
  const collection = await db
    .selectFrom('collections')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound());
  if (collection.account_id !== ownerId) throw forbidden();
  return collection;
}
