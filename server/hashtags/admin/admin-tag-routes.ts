import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { get, put, type Route } from '../../platform/http/routes.ts';
import type { TagId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { findTagById, type TagRow } from '../../tags/index.ts';
import { listTags, presentAdminTag, presentAdminTags, updateTag } from './admin-tags.ts';
import { AdminTag } from './schema.ts';

const limits = { defaultLimit: 100, maxLimit: 200 };
const params = Type.Object({ id: idSchema<'tag'>() });

export const adminTagRoutes: readonly Route[] = [
  get('/api/v1/admin/tags', {
    summary: 'List all hashtags for staff',
    access: 'staff:manage_taxonomies',
    scope: 'admin:read',
    input: Type.Object(pageInput(limits)),
    response: Type.Array(AdminTag),
    async handle({ app, viewer, input, request }) {
      const page = parsePage(input, limits);
      const rows = await listTags(app, page);
      const names = rows.map(({ name }) => name);
      const json = await presentAdminTags(app, viewer, names);
      return paginated(app, request, {
        json,
        first: rows[0]?.id,
        last: rows.at(-1)?.id,
        more: rows.length >= page.limit,
      });
    },
  }),

  get('/api/v1/admin/tags/:id', {
    summary: 'Show a hashtag to staff',
    access: 'staff:manage_taxonomies',
    scope: 'admin:read',
    params,
    response: AdminTag,
    handle: async ({ app, viewer, params: { id } }) => presentAdminTag(app, viewer, await requireTag(app, id)),
  }),

  put('/api/v1/admin/tags/:id', {
    summary: 'Change a hashtag and mark it as reviewed',
    access: 'staff:manage_taxonomies',
    scope: 'admin:write',
    params,
    input: Type.Object({
      display_name: Type.Optional(Type.String({ description: 'May differ in upper and lower case only' })),
      listable: Type.Optional(Type.Boolean({ description: 'Shown in search and suggestions' })),
      trendable: Type.Optional(Type.Boolean()),
      usable: Type.Optional(Type.Boolean()),
    }),
    response: AdminTag,
    async handle({ app, viewer, params: { id }, input }) {
      const { display_name: displayName, ...decision } = input;
      const tag = await requireTag(app, id);
      await updateTag(app, viewer.accountId, tag, { displayName, ...decision });
      return presentAdminTag(app, viewer, tag);
    },
  }),
];

async function requireTag(app: App, id: TagId): Promise<TagRow> {
  const tag = await findTagById(app, id);
  if (tag === undefined) throw notFound();
  return tag;
}
