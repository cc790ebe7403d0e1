import { Type } from 'typebox';
import { requireAccount } from '../accounts/find/index.ts';
import type { App } from '../platform/app.ts';
import { badRequest, notFound } from '../platform/http/http-errors.ts';
import { del, get, post, type Route } from '../platform/http/routes.ts';
import type { AccountId, RowId } from '../platform/ids.ts';
import { idSchema } from '../platform/id-schema.ts';
import { loadAccountRelations } from '../relationships/rules/index.ts';
import { featureTag, removeFeaturedTag } from './feature-tag.ts';
import { presentFeaturedTags, suggestFeaturedTags } from './present-featured-tags.ts';
import { presentTags } from './present-tags.ts';
import { FeaturedTag, Tag } from './schema.ts';

const maxSuggestions = 10;

export const featuredTagRoutes: Route[] = [
  get('/api/v1/featured_tags', {
    summary: 'List the featured hashtags of the signed-in account',
    hasEtag: true,
    access: 'user',
    scope: 'read|read:accounts',
    response: Type.Array(FeaturedTag),
    handle: ({ app, viewer }) => presentFeaturedTags(app, viewer.accountId),
  }),

  post('/api/v1/featured_tags', {
    summary: 'Feature a hashtag on the profile',
    access: 'user',
    scope: 'write|write:accounts',
    input: Type.Object({ name: Type.String() }),
    response: FeaturedTag,
    async handle({ app, viewer, input: { name } }) {
      if (name.trim() === '') throw badRequest('http.missingParameter', { name: 'name' });
      const id = await featureTag(app, viewer.accountId, name);
      return requireFeaturedTag(app, viewer.accountId, id);
    },
  }),

  del('/api/v1/featured_tags/:id', {
    summary: 'Remove a featured hashtag',
    access: 'user',
    scope: 'write|write:accounts',
    params: Type.Object({ id: idSchema<'row'>() }),
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await removeFeaturedTag(app, viewer.accountId, id);
      return {};
    },
  }),

  get('/api/v1/featured_tags/suggestions', {
    summary: 'List recently used hashtags that are not featured',
    access: 'user',
    scope: 'read|read:accounts',
    response: Type.Array(Tag),
    handle: async ({ app, viewer }) =>
      presentTags(app, viewer, await suggestFeaturedTags(app, viewer.accountId, maxSuggestions)),
  }),

  get('/api/v1/accounts/:id/featured_tags', {
    summary: 'List the featured hashtags of an account',
    access: 'anyone',
    readsReplica: 'always',
    params: Type.Object({ id: idSchema<'account'>() }),
    response: Type.Array(FeaturedTag),
    async handle({ app, viewer, params: { id } }) {
      await requireAccount(app, id);
      // Accounts that it blocks see nothing of its profile.
      if (viewer !== undefined && (await loadAccountRelations(app, viewer.accountId)).blockedBy.has(id)) return [];
      return presentFeaturedTags(app, id);
    },
  }),
];

async function requireFeaturedTag(app: App, accountId: AccountId, id: RowId): Promise<FeaturedTag> {
  const tag = (await presentFeaturedTags(app, accountId)).find((item) => item.id === id);
  if (tag === undefined) throw notFound();
  return tag;
}
