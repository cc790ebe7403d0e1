import { defineJob } from '../../platform/work/define-job.ts';
import { Type } from 'typebox';
import { findAccount } from '../../accounts/find/index.ts';
import { storeRemoteCollection, storeRemoteItem, type RemoteCollectionItem } from '../../collections/remote/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { CollectionId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { DocumentError } from '../documents/parse-document.ts';
import {
  parseFeaturedCollection,
  parseFeaturedItem,
  type FeaturedItem,
} from '../documents/parse-featured-collection.ts';
import { hostOf, idOf, isSameHost, type Json } from '../documents/values.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { findLocalActorByAddress } from '../find-account-by-address.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { resolveAccount } from './resolve-account.ts';
import { verifyItems } from './verify-items.ts';

/**
 * Stores a collection from a document of its origin. A job verifies the authorizations of its items. Returns undefined
 * if the owner is suspended or the collection is not accepted. Throws a FetchError or DocumentError.
 */
export async function storeFeaturedCollection(app: App, document: Json): Promise<CollectionId | undefined> {
  const collection = parseFeaturedCollection(document);
  const { uri, attributedTo, items, named, ...fields } = collection;
  if (await isBlockedDomain(app, hostOf(uri) ?? '')) throw new FetchError(`${uri} is blocked`);
  const ownerId = await resolveAccount(app, attributedTo, { throwIfOverBudget: true });
  const owner = ownerId === undefined ? undefined : await findAccount(app, ownerId);
  if (owner === undefined || owner.domain === null) throw new DocumentError(`the owner of ${uri} could not be fetched`);
  if (owner.suspended_at !== null) return undefined;
  const remoteItems = await Promise.all(items.map((item) => toRemoteItem(app, item)));
  const id = await storeRemoteCollection(app, { ...fields, uri, accountId: owner.id, items: remoteItems, named });
  if (id === undefined) return undefined;
  await transaction(app, async ({ enqueue }) => {
    if (named.length > 0) enqueue(fetchListedItems({ collectionId: id, uri, items: [...named] }, { key: uri }));
    enqueue(verifyItems({ collectionId: id, round: 0 }, { key: uri }));
  });
  return id;
}

/** Adds an item, embedded or by its id, to a stored remote collection. */
export async function storeFeaturedItem(
  app: App,
  collection: { readonly id: CollectionId; readonly uri: string },
  value: unknown,
): Promise<void> {
  const item = parseFeaturedItem(typeof value === 'string' ? await fetchObject(app, value) : value, collection.uri);
  if (item === undefined) return;
  await storeRemoteItem(app, collection.id, await toRemoteItem(app, item));
  await transaction(app, async ({ enqueue }) =>
    enqueue(verifyItems({ collectionId: collection.id, round: 0 }, { key: collection.uri })),
  );
}

async function toRemoteItem(app: App, item: FeaturedItem): Promise<RemoteCollectionItem> {
  const account = await findLocalActorByAddress(app, item.objectUri);
  const isOurs = hostOf(item.objectUri) === app.config.webDomain;
  return { ...item, localAccountId: account?.id, isLocal: isOurs };
}

/** Fetches the items that a collection lists by id. */
export const fetchListedItems = defineJob(
  'collection.fetch_items',
  Type.Object({ collectionId: idSchema<'collection'>(), uri: Type.String(), items: Type.Array(Type.String()) }),
  async (app, { collectionId, uri, items }) => {
    for (const item of items) {
      try {
        const document = await fetchObject(app, item);
        if (isSameHost(idOf(document), uri)) await storeFeaturedItem(app, { id: collectionId, uri }, document);
      } catch (error) {
        if (!(error instanceof FetchError || error instanceof DocumentError)) throw error;
        app.log.debug({ err: error, uri: item }, 'an item of a collection could not be fetched');
      }
    }
  },
  'remote',
);
