import { Type } from 'typebox';
import { jsonList } from '../platform/http/answers.ts';
import { pageInput, paginated, readPage } from '../platform/http/pages.ts';
import { get, type Route } from '../platform/http/routes.ts';
import { idSchema } from '../platform/ids.ts';
import { listAccountStatuses, listPinned } from './account-statuses.ts';
import { keepVisible } from './keep-visible.ts';
import { listSaved } from './list-saved.ts';
import { presentStatuses } from './present-statuses.ts';
import { Status } from './schema.ts';

const limits = { standard: 20, most: 40 };
const flag = Type.Optional(Type.Boolean());

const saved = (kind: 'favourites' | 'bookmarks', summary: string): Route =>
  get(`/api/v1/${kind}`, {
    summary,
    access: 'user',
    scope: `read|read:${kind}`,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(Status),
    handle: ({ app, viewer, input, request }) => listSaved(app, request, viewer, { kind, input }),
  });

export const listRoutes = [
  saved('favourites', "List the viewer's favourites"),
  saved('bookmarks', "List the viewer's bookmarks"),

  get('/api/v1/accounts/:id/statuses', {
    summary: 'List the statuses of an account',
    access: 'anyone',
    scope: 'read|read:statuses',
    params: Type.Object({ id: idSchema<'account'>() }),
    input: Type.Object({
      ...pageInput(limits),
      only_media: flag,
      exclude_replies: flag,
      exclude_reblogs: flag,
      exclude_direct: flag,
      pinned: flag,
      tagged: Type.Optional(Type.String()),
    }),
    response: Type.Array(Status),
    async handle({ app, viewer, params: { id }, input, request }) {
      const page = readPage(input, limits);
      const viewerId = viewer?.accountId;
      if (input.pinned === true) {
        const pinned = await listPinned(app, viewerId, id, page.limit);
        return jsonList(await presentStatuses(app, viewer, await keepVisible(app, viewerId, pinned, 'account')));
      }
      const { ids, ...ends } = await listAccountStatuses(app, viewerId, page, {
        accountId: id,
        onlyMedia: input.only_media === true,
        excludeReplies: input.exclude_replies === true,
        excludeReblogs: input.exclude_reblogs === true,
        excludeDirect: input.exclude_direct === true,
        tagged: input.tagged === '' ? undefined : input.tagged,
      });
      const shown = await keepVisible(app, viewerId, ids, 'account');
      return paginated(app, request, { json: jsonList(await presentStatuses(app, viewer, shown)), ...ends });
    },
  }),
];
