import { Type } from 'typebox';
import { findAccount, type AccountRow } from '../../accounts/find/index.ts';
import { featuredCollectionsUri, collectionUrl } from '../../collections/index.ts';
import { findCollection, type CollectionRow } from '../../collections/read/index.ts';
import type { App } from '../../platform/app.ts';
import { redirect, type HttpResponse } from '../../platform/http/http-response.ts';
import { forbidden, gone, notFound } from '../../platform/http/http-errors.ts';
import { get, type RequestContext, type Route } from '../../platform/http/routes.ts';
import type { AccountId, CollectionId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { collectionPage } from '../documents/collections.ts';
import { featureContext } from '../documents/feature-activities.ts';
import {
  collectionDocuments,
  listCollectionDocuments,
  findItemDocument,
  findFeatureAuthorization,
} from '../documents/featured-documents.ts';
import { activityResponse } from './activity-response.ts';
import { forReaders } from './for-servers.ts';
import { wantsActivity } from './negotiation.ts';
import { findReader, assertNotBlocked } from './reader.ts';

const pageSize = 5;
const account = idSchema<'account'>();

const list = get('/ap/users/:id/featured_collections', {
  summary: 'List the collections of accounts of an actor',
  ...forReaders,
  params: Type.Object({ id: account }),
  input: Type.Object({ page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })) }),
  async handle({ app, params, input, request }) {
    await requireOwner(app, request, params.id);
    const id = featuredCollectionsUri(app, params.id);
    const page = input.page ?? 1;
    const { total, items } = await listCollectionDocuments(app, params.id, { page, size: pageSize });
    if (input.page === undefined) {
      const last = Math.max(1, Math.ceil(total / pageSize));
      const pages = { first: `${id}?page=1`, last: `${id}?page=${last}` };
      return activityResponse(app, { id, type: 'Collection', totalItems: total, ...pages });
    }
    const next = page * pageSize < total ? `${id}?page=${page + 1}` : undefined;
    const prev = page > 1 ? `${id}?page=${page - 1}` : undefined;
    const document = collectionPage(
      { id: `${id}?page=${page}`, partOf: id, totalItems: total, items, next, prev },
      false,
    );
    return activityResponse(app, document, { context: featureContext });
  },
});

const collection = get('/ap/users/:id/collections/:collection_id', {
  summary: 'Get a collection of accounts',
  ...forReaders,
  params: Type.Object({ id: account, collection_id: idSchema<'collection'>() }),
  async handle({ app, params, request }) {
    if (!wantsActivity(request)) return redirect(collectionUrl(app, params.collection_id));
    const found = await findCollection(app, params.collection_id);
    if (found?.account_id !== params.id) throw notFound();
    return collectionResponse(app, request, found);
  },
});

const item = get('/ap/users/:id/collection_items/:item_id', {
  summary: 'Get an item of a collection',
  ...forReaders,
  params: Type.Object({ id: account, item_id: idSchema<'collection-item'>() }),
  async handle({ app, params, request }) {
    await requireOwner(app, request, params.id);
    const found = await findItemDocument(app, params.id, params.item_id);
    if (found === undefined) throw notFound();
    return activityResponse(app, found.document, { context: featureContext });
  },
});

const authorization = get('/ap/users/:id/feature_authorizations/:auth_id', {
  summary: 'Get the authorization of a collection item',
  ...forReaders,
  params: Type.Object({ id: account, auth_id: idSchema<'collection-item'>() }),
  async handle({ app, params, request }) {
    await requireOwner(app, request, params.id);
    const document = await findFeatureAuthorization(app, params.id, params.auth_id);
    if (document === undefined) throw notFound();
    // Not cacheable, because it can be revoked at any time.
    return activityResponse(app, document, { context: featureContext, open: false });
  },
});

export const featuredCollectionRoutes: readonly Route[] = [list, collection, item, authorization];

/** Returns the document for a request of a collection's page that accepts ActivityPub; undefined for other requests. */
export async function negotiateCollection(
  app: App,
  request: RequestContext,
  id: CollectionId,
): Promise<HttpResponse | undefined> {
  if (!wantsActivity(request)) return undefined;
  const found = await findCollection(app, id);
  if (found === undefined) throw notFound();
  return collectionResponse(app, request, found);
}

async function collectionResponse(app: App, request: RequestContext, found: CollectionRow): Promise<HttpResponse> {
  if (!found.local) throw notFound();
  await requireOwner(app, request, found.account_id);
  const document = (await collectionDocuments(app, [found.id])).get(found.id);
  if (document === undefined) throw notFound();
  return activityResponse(app, document, { context: featureContext });
}

/**
 * Returns a local account that the sender of the request may see. Throws 404, 403 if it is suspended, 410 if it was
 * deleted.
 */
async function requireOwner(app: App, request: RequestContext, id: AccountId): Promise<AccountRow> {
  const reader = await findReader(app, request);
  const owner = await findAccount(app, id);
  if (owner === undefined) throw (await wasLocalAccount(app, id)) ? gone() : notFound();
  if (owner.domain !== null || !owner.activated) throw notFound();
  if (owner.suspended_at !== null) throw forbidden();
  await assertNotBlocked(app, id, reader);
  return owner;
}

async function wasLocalAccount(app: App, id: AccountId): Promise<boolean> {
  const row = await app.db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .where('domain', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
