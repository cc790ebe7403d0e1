import { Type } from 'typebox';
import { joinJsonList } from '../../platform/http/http-response.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { del, get } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { listOwnHeldPosts, requireHeldPost } from './find-held-posts.ts';
import { presentHeldPost, presentHeldPosts } from './present-held-posts.ts';
import { HeldPost } from './schema.ts';
import { withdrawHeldPost } from './withdraw-held-post.ts';

const limits = { defaultLimit: 20, maxLimit: 40 };
const params = Type.Object({ id: idSchema<'status'>() });

export const heldRoutes = [
  get('/api/v1/fieldfare/held_posts', {
    summary: "List the viewer's posts that were held for review, with the decisions of the last 30 days",
    access: 'user',
    scope: 'read|read:statuses',
    input: Type.Object(pageInput(limits)),
    response: Type.Array(HeldPost),
    async handle({ app, viewer: { accountId }, input, request }) {
      const { rows, ...ends } = await listOwnHeldPosts(app, accountId, parsePage(input, limits));
      return paginated(app, request, { json: joinJsonList(await presentHeldPosts(app, accountId, rows)), ...ends });
    },
  }),

  get('/api/v1/fieldfare/held_posts/:id', {
    summary: 'Show a post of the viewer that was held for review',
    access: 'user',
    scope: 'read|read:statuses',
    params,
    response: HeldPost,
    async handle({ app, viewer: { accountId }, params: { id } }) {
      const row = await requireHeldPost(app, id);
      if (row.account_id !== accountId) throw notFound();
      return presentHeldPost(app, accountId, row);
    },
  }),

  del('/api/v1/fieldfare/held_posts/:id', {
    summary: 'Withdraw a post that waits for review',
    access: 'user',
    scope: 'write|write:statuses',
    params,
    response: Type.Object({}),
    async handle({ app, viewer: { accountId }, params: { id } }) {
      await withdrawHeldPost(app, accountId, id);
      return {};
    },
  }),
];
