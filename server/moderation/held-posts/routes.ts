import { Type } from 'typebox';
import { joinJsonList } from '../../platform/http/http-response.ts';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { get, post, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import {
  HeldPost,
  HeldPostStateInput,
  listHeldPosts,
  presentHeldPost,
  presentHeldPosts,
  requireHeldPost,
} from '../../statuses/held/index.ts';
import { approveHeldPost, refuseHeldPost } from './decide.ts';

const readAccess = { access: 'staff:manage_reports', scope: 'admin:read|admin:read:reports' } as const;
const writeAccess = { access: 'staff:manage_reports', scope: 'admin:write|admin:write:reports' } as const;
const limits = { defaultLimit: 20, maxLimit: 40 };
const params = Type.Object({ id: idSchema<'status'>() });

export const heldPostRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/held_posts', {
    summary: 'List the posts that moderation rules hold for review, newest first',
    ...readAccess,
    input: Type.Object({
      ...pageInput(limits),
      state: Type.Optional({ ...HeldPostStateInput, description: 'pending by default' }),
    }),
    response: Type.Array(HeldPost),
    async handle({ app, viewer: { accountId }, input: { state = 'pending', ...page }, request }) {
      const { rows, ...ends } = await listHeldPosts(app, state, parsePage(page, limits));
      return paginated(app, request, { json: joinJsonList(await presentHeldPosts(app, accountId, rows)), ...ends });
    },
  }),
  get('/api/v1/fieldfare/admin/held_posts/:id', {
    summary: 'Show a post that a moderation rule holds for review',
    ...readAccess,
    params,
    response: HeldPost,
    handle: async ({ app, viewer: { accountId }, params: { id } }) =>
      presentHeldPost(app, accountId, await requireHeldPost(app, id)),
  }),
  post('/api/v1/fieldfare/admin/held_posts/:id/approve', {
    summary: 'Publish a held post, or its whole thread, as if it were posted now',
    ...writeAccess,
    params,
    response: HeldPost,
    async handle({ app, viewer: { accountId }, params: { id } }) {
      await approveHeldPost(app, accountId, id);
      return presentHeldPost(app, accountId, await requireHeldPost(app, id));
    },
  }),
  post('/api/v1/fieldfare/admin/held_posts/:id/reject', {
    summary: 'Reject a held post, or its whole thread, and tell its local author by mail',
    ...writeAccess,
    params,
    input: Type.Object({ text: Type.Optional(Type.String({ description: 'For the author' })) }),
    response: HeldPost,
    async handle({ app, viewer: { accountId }, params: { id }, input: { text } }) {
      await refuseHeldPost(app, accountId, { id, text });
      return presentHeldPost(app, accountId, await requireHeldPost(app, id));
    },
  }),
];
