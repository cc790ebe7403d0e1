import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { Answer, empty } from '../platform/http/answers.ts';
import { offsetLinks, readLimit, readOffset } from '../platform/http/pages.ts';
import { unprocessable } from '../platform/http/problems.ts';
import { del, get, patch, post, type RequestFacts, type Route } from '../platform/http/routes.ts';
import { idSchema, type AccountId, type CollectionId } from '../platform/ids.ts';
import { addItem } from './add-item.ts';
import { createCollection } from './create-collection.ts';
import { deleteCollection } from './delete-collection.ts';
import { requireVisibleCollection } from './find-collections.ts';
import { listCollections, listCollectionsWith, type Slice } from './list-collections.ts';
import { presentCollection, presentCollections, presentItem, presentWithAccounts } from './present-collections.ts';
import { removeItem, revokeItem } from './remove-item.ts';
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

/** Most collections of a page: of those that somebody made, and of those that somebody stands in. */
const [mostMade, mostEntered] = [100, 80];
const standard = 40;

const slice = (most: number) =>
  Type.Object({
    limit: Type.Optional(Type.Integer({ description: `${standard} when not given, at most ${most}` })),
    offset: Type.Optional(Type.Integer()),
    max_id: Type.Optional(idSchema<'collection'>()),
  });

function readSlice(
  { limit, offset, max_id: maxId }: { limit?: number; offset?: number; max_id?: CollectionId },
  most: number,
): Slice {
  return { limit: readLimit(limit, { standard, most }), offset: readOffset(offset), maxId };
}

/** A page of collections. Its link to the next one names where it goes on, so that nothing is skipped or shown twice. */
async function pageOf(
  app: App,
  request: RequestFacts,
  { viewer, ids, page }: { viewer: { accountId: AccountId } | undefined; ids: readonly CollectionId[]; page: Slice },
): Promise<Answer> {
  const collections = await presentCollections(app, viewer, ids);
  const last = ids.length === page.limit ? ids.at(-1) : undefined;
  const headers = offsetLinks(app, request, { ...page, last });
  return new Answer({ json: { collections }, headers });
}

/** The routes below a root: that of today, and that of the time before they were settled. */
function routesBelow(root: string, deprecated: { deprecatedSince?: string } = {}): Route[] {
  return [
    post(`${root}/collections`, {
      summary: 'Makes a collection of accounts to recommend',
      ...writing,
      ...deprecated,
      input: Type.Object({ ...properties, account_ids: Type.Optional(Type.Array(idSchema<'account'>())) }),
      response: WrappedCollection,
      async handle({ app, viewer, input: { account_ids: accountIds, tag_name: tagName, ...rest } }) {
        const made = await createCollection(app, viewer.accountId, { ...rest, tagName, accountIds });
        return { collection: await presentCollection(app, viewer, made) };
      },
    }),
    get(`${root}/collections/:id`, {
      summary: 'Shows a collection with its accounts',
      access: 'anyone',
      ...reading,
      ...deprecated,
      params: id,
      response: CollectionWithAccounts,
      async handle({ app, viewer, params }) {
        await requireVisibleCollection(app, viewer?.accountId, params.id);
        return presentWithAccounts(app, viewer, params.id);
      },
    }),
    get(`${root}/accounts/:account_id/collections`, {
      summary: 'Lists the collections of an account',
      access: 'anyone',
      ...reading,
      ...deprecated,
      params: ofAccount,
      input: slice(mostMade),
      response: Collections,
      async handle({ app, viewer, params, input, request }) {
        const page = readSlice(input, mostMade);
        const ids = await listCollections(app, viewer?.accountId, params.account_id, page);
        return pageOf(app, request, { viewer, ids, page });
      },
    }),
    get(`${root}/accounts/:account_id/in_collections`, {
      summary: 'Lists the collections that the account of the token stands in',
      access: 'user',
      ...reading,
      ...deprecated,
      params: ofAccount,
      input: slice(mostEntered),
      response: Collections,
      async handle({ app, viewer, params, input, request }) {
        const page = readSlice(input, mostEntered);
        const ids = await listCollectionsWith(app, viewer.accountId, params.account_id, page);
        return pageOf(app, request, { viewer, ids, page });
      },
    }),
    patch(`${root}/collections/:id`, {
      summary: 'Changes a collection: what is not given stays',
      ...writing,
      ...deprecated,
      params: id,
      input: Type.Object(properties),
      response: WrappedCollection,
      async handle({ app, viewer, params, input: { tag_name: tagName, ...rest } }) {
        await updateCollection(app, viewer.accountId, params.id, { ...rest, tagName });
        return { collection: await presentCollection(app, viewer, params.id) };
      },
    }),
    del(`${root}/collections/:id`, {
      summary: 'Deletes a collection',
      ...writing,
      ...deprecated,
      params: id,
      response: Type.Unknown(),
      async handle({ app, viewer, params }) {
        await deleteCollection(app, viewer.accountId, params.id);
        return empty();
      },
    }),
    ...itemRoutes(root, deprecated),
  ];
}

function itemRoutes(root: string, deprecated: { deprecatedSince?: string }): Route[] {
  return [
    post(`${root}/collections/:collection_id/items`, {
      summary: 'Puts an account into a collection, or asks it',
      ...writing,
      ...deprecated,
      params: ofCollection,
      input: Type.Object({ account_id: Type.Optional(idSchema<'account'>()) }),
      response: WrappedCollectionItem,
      async handle({ app, viewer, params, input: { account_id: memberId } }) {
        if (memberId === undefined) throw unprocessable('`account_id` parameter is missing');
        const { accountId } = viewer;
        const added = await addItem(app, { accountId, collectionId: params.collection_id, memberId });
        return { collection_item: await presentItem(app, added) };
      },
    }),
    del(`${root}/collections/:collection_id/items/:id`, {
      summary: 'Takes an account out of a collection',
      ...writing,
      ...deprecated,
      params: item,
      response: Type.Unknown(),
      async handle({ app, viewer, params }) {
        const { accountId } = viewer;
        await removeItem(app, { accountId, collectionId: params.collection_id, itemId: params.id });
        return empty();
      },
    }),
    post(`${root}/collections/:collection_id/items/:id/revoke`, {
      summary: 'Leaves a collection of somebody for good',
      ...writing,
      ...deprecated,
      params: item,
      response: Type.Unknown(),
      async handle({ app, viewer, params }) {
        const { accountId } = viewer;
        await revokeItem(app, { accountId, collectionId: params.collection_id, itemId: params.id });
        return empty();
      },
    }),
  ];
}

export const routes: Route[] = [
  ...routesBelow('/api/v1'),
  ...routesBelow('/api/v1_alpha', { deprecatedSince: '2026-06-10' }),
];
