import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { HttpResponse, emptyResponse } from '../platform/http/http-response.ts';
import { offsetLinks, clampLimit, clampOffset } from '../platform/http/pages.ts';
import { unprocessable } from '../platform/http/http-errors.ts';
import { del, get, patch, post, routeOptions, type RequestContext, type Route } from '../platform/http/routes.ts';
import { emptyBody } from '../platform/http/text-bodies.ts';
import type { AccountId, CollectionId } from '../platform/ids.ts';
import { idSchema } from '../platform/id-schema.ts';
import { addCollectionItem } from './add-item.ts';
import { createCollection } from './create-collection.ts';
import { deleteCollection } from './delete-collection.ts';
import { requireVisibleCollection } from './read/find-collections.ts';
import { listCollections, listCollectionsFeaturing, type OffsetPage } from './read/list-collections.ts';
import {
  presentCollection,
  presentCollections,
  presentCollectionItem,
  presentCollectionWithAccounts,
} from './read/present-collections.ts';
import { removeCollectionItem, revokeCollectionItem } from './remove-item.ts';
import { Collections, CollectionWithAccounts, WrappedCollection, WrappedCollectionItem } from './schema.ts';
import { updateCollection } from './update-collection.ts';

const reading = { scope: 'read|read:collections' } as const;
const writing = { access: 'user', scope: 'write|write:collections' } as const;

const id = Type.Object({ id: idSchema<'collection'>() });
const ofAccount = Type.Object({ account_id: idSchema<'account'>() });
const ofCollection = Type.Object({ collection_id: idSchema<'collection'>() });
const item = Type.Object({ collection_id: idSchema<'collection'>(), id: idSchema<'collection-item'>() });

const properties = {
  name: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  language: Type.Optional(Type.String()),
  tag_name: Type.Optional(Type.String()),
  sensitive: Type.Optional(Type.Boolean()),
  discoverable: Type.Optional(Type.Boolean()),
};

/** Maximum page sizes: of an account's collections, and of those that contain it. */
const [maxOwnedPerPage, maxFeaturingPerPage] = [100, 80];
const defaultLimit = 40;

const offsetPageSchema = (maxLimit: number) =>
  Type.Object({
    limit: Type.Optional(Type.Integer({ description: `${defaultLimit} when not given, at most ${maxLimit}` })),
    offset: Type.Optional(Type.Integer()),
    max_id: Type.Optional(idSchema<'collection'>()),
  });

function parseOffsetPage(
  { limit, offset, max_id: maxId }: { limit?: number; offset?: number; max_id?: CollectionId },
  most: number,
): OffsetPage {
  return { limit: clampLimit(limit, { defaultLimit, maxLimit: most }), offset: clampOffset(offset), maxId };
}

/** Returns a page of collections. The link to the next page has a cursor, so that nothing is skipped or repeated. */
async function respondWithPage(
  app: App,
  request: RequestContext,
  {
    viewer,
    ids,
    page,
  }: { viewer: { accountId: AccountId } | undefined; ids: readonly CollectionId[]; page: OffsetPage },
): Promise<HttpResponse> {
  const collections = await presentCollections(app, viewer, ids);
  const last = ids.length === page.limit ? ids.at(-1) : undefined;
  const headers = offsetLinks(app, request, { ...page, last });
  return new HttpResponse({ json: { collections }, headers });
}

const createOptions = routeOptions({
  summary: 'Create a collection of recommended accounts',
  ...writing,
  input: Type.Object({ ...properties, account_ids: Type.Optional(Type.Array(idSchema<'account'>())) }),
  response: WrappedCollection,
  async handle({ app, viewer, input: { account_ids: accountIds, tag_name: tagName, ...rest } }) {
    const made = await createCollection(app, viewer.accountId, { ...rest, tagName, accountIds });
    return { collection: await presentCollection(app, viewer, made) };
  },
});

const showOptions = routeOptions({
  summary: 'Show a collection with its accounts',
  access: 'anyone',
  ...reading,
  params: id,
  response: CollectionWithAccounts,
  async handle({ app, viewer, params }) {
    await requireVisibleCollection(app, viewer?.accountId, params.id);
    return presentCollectionWithAccounts(app, viewer, params.id);
  },
});

const listOptions = routeOptions({
  summary: 'List the collections of an account',
  access: 'anyone',
  ...reading,
  params: ofAccount,
  input: offsetPageSchema(maxOwnedPerPage),
  response: Collections,
  async handle({ app, viewer, params, input, request }) {
    const page = parseOffsetPage(input, maxOwnedPerPage);
    const ids = await listCollections(app, viewer?.accountId, params.account_id, page);
    return respondWithPage(app, request, { viewer, ids, page });
  },
});

const listFeaturingOptions = routeOptions({
  summary: 'List the collections that contain the account of the token',
  access: 'user',
  ...reading,
  params: ofAccount,
  input: offsetPageSchema(maxFeaturingPerPage),
  response: Collections,
  async handle({ app, viewer, params, input, request }) {
    const page = parseOffsetPage(input, maxFeaturingPerPage);
    const ids = await listCollectionsFeaturing(app, viewer.accountId, params.account_id, page);
    return respondWithPage(app, request, { viewer, ids, page });
  },
});

const updateOptions = routeOptions({
  summary: 'Change a collection; absent parameters stay unchanged',
  ...writing,
  params: id,
  input: Type.Object(properties),
  response: WrappedCollection,
  async handle({ app, viewer, params, input: { tag_name: tagName, ...rest } }) {
    await updateCollection(app, viewer.accountId, params.id, { ...rest, tagName });
    return { collection: await presentCollection(app, viewer, params.id) };
  },
});

const deleteOptions = routeOptions({
  summary: 'Delete a collection',
  ...writing,
  params: id,
  response: emptyBody,
  async handle({ app, viewer, params }) {
    await deleteCollection(app, viewer.accountId, params.id);
    return emptyResponse();
  },
});

const addItemOptions = routeOptions({
  summary: 'Add an account to a collection, or ask for its consent',
  ...writing,
  params: ofCollection,
  input: Type.Object({ account_id: Type.Optional(idSchema<'account'>()) }),
  response: WrappedCollectionItem,
  async handle({ app, viewer, params, input: { account_id: memberId } }) {
    if (memberId === undefined) throw unprocessable('collections.missingAccountId');
    const { accountId } = viewer;
    const added = await addCollectionItem(app, { accountId, collectionId: params.collection_id, memberId });
    return { collection_item: await presentCollectionItem(app, added) };
  },
});

const removeItemOptions = routeOptions({
  summary: 'Remove an account from a collection',
  ...writing,
  params: item,
  response: emptyBody,
  async handle({ app, viewer, params }) {
    const { accountId } = viewer;
    await removeCollectionItem(app, { accountId, collectionId: params.collection_id, itemId: params.id });
    return emptyResponse();
  },
});

const revokeItemOptions = routeOptions({
  summary: 'Leave a collection permanently',
  ...writing,
  params: item,
  response: emptyBody,
  async handle({ app, viewer, params }) {
    const { accountId } = viewer;
    await revokeCollectionItem(app, { accountId, collectionId: params.collection_id, itemId: params.id });
    return emptyResponse();
  },
});

/** The former paths, of the time before the API was settled. */
const deprecated = { deprecatedSince: '2026-06-10' } as const;

export const routes: Route[] = [
  post('/api/v1/collections', createOptions),
  get('/api/v1/collections/:id', showOptions),
  get('/api/v1/accounts/:account_id/collections', listOptions),
  get('/api/v1/accounts/:account_id/in_collections', listFeaturingOptions),
  patch('/api/v1/collections/:id', updateOptions),
  del('/api/v1/collections/:id', deleteOptions),
  post('/api/v1/collections/:collection_id/items', addItemOptions),
  del('/api/v1/collections/:collection_id/items/:id', removeItemOptions),
  post('/api/v1/collections/:collection_id/items/:id/revoke', revokeItemOptions),

  post('/api/v1_alpha/collections', { ...createOptions, ...deprecated }),
  get('/api/v1_alpha/collections/:id', { ...showOptions, ...deprecated }),
  get('/api/v1_alpha/accounts/:account_id/collections', { ...listOptions, ...deprecated }),
  get('/api/v1_alpha/accounts/:account_id/in_collections', { ...listFeaturingOptions, ...deprecated }),
  patch('/api/v1_alpha/collections/:id', { ...updateOptions, ...deprecated }),
  del('/api/v1_alpha/collections/:id', { ...deleteOptions, ...deprecated }),
  post('/api/v1_alpha/collections/:collection_id/items', { ...addItemOptions, ...deprecated }),
  del('/api/v1_alpha/collections/:collection_id/items/:id', { ...removeItemOptions, ...deprecated }),
  post('/api/v1_alpha/collections/:collection_id/items/:id/revoke', { ...revokeItemOptions, ...deprecated }),
];
