import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { pageInput, paginated, parsePage } from '../platform/http/pages.ts';
import { notFound } from '../platform/http/http-errors.ts';
import { get, post, type Route, type CurrentUser } from '../platform/http/routes.ts';
import { isId, type TagId } from '../platform/ids.ts';
import { findTag, findTagById } from '../tags/index.ts';
import { adminTagRoutes } from './admin/admin-tag-routes.ts';
import { featureTag, unfeatureTag } from './feature-tag.ts';
import { featuredTagRoutes } from './featured-tag-routes.ts';
import { followTag, listFollowedTags, unfollowTag } from './follow-tag.ts';
import { presentTag, presentTags } from './present-tags.ts';
import { Tag } from './schema.ts';
import { isTagVisible } from './visibility/tag-visibility.ts';

const params = Type.Object({ name: Type.String({ description: 'Name or id' }) });
const limits = { defaultLimit: 100, maxLimit: 200 };
const followScope = 'follow|write|write:follows';

export const routes: readonly Route[] = [
  get('/api/v1/tags/:name', {
    summary: 'Show a hashtag and its usage',
    access: 'anyone',
    readsReplica: 'always',
    params: Type.Object({ name: Type.String() }),
    response: Tag,
    handle: ({ app, viewer, params }) => requireTag(app, viewer, params.name),
  }),

  post('/api/v1/tags/:name/follow', {
    summary: 'Follow a hashtag: its posts appear in the home timeline',
    access: 'user',
    scope: followScope,
    rateLimit: 'follows',
    params,
    response: Tag,
    handle: ({ app, viewer, params }) =>
      changeTag(app, viewer, params.name, (name) => followTag(app, viewer.accountId, name)),
  }),

  post('/api/v1/tags/:name/unfollow', {
    summary: 'Unfollow a hashtag',
    access: 'user',
    scope: followScope,
    params,
    response: Tag,
    handle: ({ app, viewer, params }) =>
      undoForTag(app, viewer, params.name, (tagId) => unfollowTag(app, viewer.accountId, tagId)),
  }),

  post('/api/v1/tags/:name/feature', {
    summary: 'Feature a hashtag on the profile',
    access: 'user',
    scope: 'write|write:accounts',
    params,
    response: Tag,
    handle: ({ app, viewer, params }) =>
      changeTag(app, viewer, params.name, (name) => featureTag(app, viewer.accountId, name)),
  }),

  post('/api/v1/tags/:name/unfeature', {
    summary: 'Remove a featured hashtag',
    access: 'user',
    scope: 'write|write:accounts',
    params,
    response: Tag,
    handle: ({ app, viewer, params }) =>
      undoForTag(app, viewer, params.name, (tagId) => unfeatureTag(app, viewer.accountId, { tagId })),
  }),

  get('/api/v1/followed_tags', {
    summary: 'List followed hashtags',
    hasEtag: true,
    access: 'user',
    scope: 'follow|read|read:follows',
    input: Type.Object(pageInput(limits)),
    response: Type.Array(Tag),
    async handle({ app, viewer, input, request }) {
      const page = parsePage(input, limits);
      const rows = await listFollowedTags(app, viewer.accountId, page);
      const json = await presentTags(
        app,
        viewer,
        rows.map(({ name }) => name),
      );
      const ends = { first: rows[0]?.id, last: rows.at(-1)?.id, more: rows.length >= page.limit };
      return paginated(app, request, { json, ...ends, newer: 'since_id' });
    },
  }),

  ...featuredTagRoutes,
  ...adminTagRoutes,
];

/** Throws 404 for an invalid name. */
async function requireTag(app: App, viewer: CurrentUser | undefined, name: string): Promise<Tag> {
  const tag = await presentTag(app, viewer, name);
  if (tag === undefined) throw notFound();
  return tag;
}

/** Returns the name of a hashtag, given by name or id. No name has digits only. Throws 404 for an unknown id. */
async function resolveTagName(app: App, viewer: CurrentUser, nameOrId: string): Promise<string> {
  if (!isId(nameOrId)) return nameOrId;
  const tag = await findTagById(app, nameOrId);
  if (tag === undefined || !(await isTagVisible(app, viewer.accountId, tag))) throw notFound();
  return tag.display_name;
}

/** Runs a change and returns the hashtag after it. Throws 404 for an invalid name and an unknown id. */
async function changeTag(
  app: App,
  viewer: CurrentUser,
  nameOrId: string,
  change: (name: string) => Promise<unknown>,
): Promise<Tag> {
  const name = await resolveTagName(app, viewer, nameOrId);
  await change(name);
  return requireTag(app, viewer, name);
}

/**
 * Runs an undo, which is a no-op for a hashtag that does not exist, and returns the hashtag as the viewer knew it before.
 * Throws 404 for an invalid name and an unknown id.
 */
async function undoForTag(
  app: App,
  viewer: CurrentUser,
  nameOrId: string,
  undo: (tagId: TagId) => Promise<unknown>,
): Promise<Tag> {
  const name = await resolveTagName(app, viewer, nameOrId);
  const before = await requireTag(app, viewer, name);
  const tag = await findTag(app, name);
  if (tag !== undefined) await undo(tag.id);
  const [after] = before.id === '' ? [] : await presentTags(app, viewer, [name]);
  return after ?? before;
}
