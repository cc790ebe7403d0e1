import { sql } from 'kysely';
import { Type } from 'typebox';
import { actorUrls } from '../../accounts/index.ts';
import type { AccountRow } from '../../accounts/find/index.ts';
import { loadCachedAccounts } from '../../accounts/present/index.ts';
import { requireGroup } from '../../groups/index.ts';
import type { App } from '../../platform/app.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { collectionPage, inlineCollection, pagedCollection } from '../documents/collections.ts';
import { noteContext } from '../documents/contexts.ts';
import { featuredHashtag } from '../documents/hashtag.ts';
import { noteDocuments } from '../documents/note-documents.ts';
import { activityResponse } from './activity-response.ts';
import { requireAuthor } from './reader.ts';
import { forReaders } from './for-servers.ts';

const params = Type.Object({ username: Type.String() });
const pageSize = 12;

/** Declares the route for followers or followed accounts: the count, and the list unless the account hides it. */
function networkRoute(path: string, kind: 'followers' | 'following'): Route {
  return get(path, {
    summary: kind === 'followers' ? 'List the followers of an actor' : 'List the accounts that an actor follows',
    ...forReaders,
    params,
    input: Type.Object({ page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })) }),
    async handle({ app, params, input, request }): Promise<HttpResponse> {
      const account = await requireAuthor(app, request, params.username);
      const id = actorUrls(app, account.uri)[kind];
      const total = await countNetwork(app, account, kind);
      if (input.page === undefined) {
        return activityResponse(
          app,
          pagedCollection(id, total, account.hide_collections === true ? {} : { first: `${id}?page=1` }),
        );
      }
      if (account.hide_collections === true) throw forbidden();
      const items = await listNetworkPage(app, account, kind, input.page);
      const { page } = input;
      return activityResponse(
        app,
        collectionPage({
          id: `${id}?page=${page}`,
          partOf: id,
          totalItems: total,
          items,
          next: page * pageSize < total ? `${id}?page=${page + 1}` : undefined,
          prev: page > 1 ? `${id}?page=${page - 1}` : undefined,
        }),
      );
    },
  });
}

const featured = get('/users/:username/collections/featured', {
  summary: 'List the pinned posts of an actor',
  ...forReaders,
  params,
  async handle({ app, params, request }) {
    const account = await requireAuthor(app, request, params.username);
    const pinned = await app.db
      .selectFrom('status_pins as pin')
      .innerJoin('statuses as status', 'status.id', 'pin.status_id')
      .select(['status.id', 'status.uri', 'status.visibility'])
      .where('pin.account_id', '=', account.id)
      .where('status.deleted_at', 'is', null)
      .where('status.visibility', 'in', ['public', 'unlisted', 'private'])
      .orderBy('pin.id', 'desc')
      .execute();
    const open = pinned.filter(({ visibility }) => visibility !== 'private').map(({ id }) => id);
    const notes = await noteDocuments(app, open);
    const items = pinned.map(({ id, uri }) => notes.get(id) ?? uri);
    return activityResponse(app, inlineCollection(actorUrls(app, account.uri).featured, items), {
      context: noteContext,
    });
  },
});

const tags = get('/users/:username/collections/tags', {
  summary: 'List the featured hashtags of an actor',
  ...forReaders,
  params,
  async handle({ app, params, request }) {
    const { id, uri, username } = await requireAuthor(app, request, params.username);
    const featured = await app.db
      .selectFrom('featured_tags')
      .innerJoin('tags', 'tags.id', 'featured_tags.tag_id')
      .select(['tags.name', 'tags.display_name'])
      .where('featured_tags.account_id', '=', id)
      .orderBy('featured_tags.id')
      .execute();
    const items = featured.map((tag) => featuredHashtag(app, username, tag));
    const { featuredTags } = actorUrls(app, uri);
    return activityResponse(app, inlineCollection(featuredTags, items, false), { context: noteContext });
  },
});

const moderators = get('/users/:username/collections/moderators', {
  summary: 'List the moderators of a group',
  ...forReaders,
  params,
  async handle({ app, params, request }) {
    const { id, uri } = await requireAuthor(app, request, params.username);
    const group = await requireGroup(app, id);
    const accounts = await loadCachedAccounts(app, group.moderatorIds);
    const items = group.moderatorIds.flatMap((moderatorId) => accounts.get(moderatorId)?.uri ?? []);
    return activityResponse(app, inlineCollection(actorUrls(app, uri).moderators, items));
  },
});

export const collectionRoutes: readonly Route[] = [
  networkRoute('/users/:username/followers', 'followers'),
  networkRoute('/users/:username/following', 'following'),
  featured,
  tags,
  moderators,
];

const followColumns = {
  followers: { own: 'target_account_id', other: 'account_id', count: 'followers_count' },
  following: { own: 'account_id', other: 'target_account_id', count: 'following_count' },
} as const;

async function countNetwork(app: App, { id }: AccountRow, kind: keyof typeof followColumns): Promise<number> {
  const row = await app.db
    .selectFrom('account_stats')
    .select(`${followColumns[kind].count} as count`)
    .where('account_id', '=', id)
    .executeTakeFirst();
  return row?.count ?? 0;
}

async function listNetworkPage(
  app: App,
  { id }: AccountRow,
  kind: keyof typeof followColumns,
  page: number,
): Promise<string[]> {
  const { own, other } = followColumns[kind];
  const rows = await app.db
    .selectFrom('follows')
    .innerJoin('accounts', 'accounts.id', `follows.${other}`)
    .select('accounts.uri')
    .where(`follows.${own}`, '=', id)
    .where(sql<boolean>`accounts.suspended_at is null and accounts.deleted_at is null`)
    .orderBy('follows.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  return rows.map(({ uri }) => uri);
}
