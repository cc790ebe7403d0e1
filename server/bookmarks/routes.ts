import { Type } from 'typebox';
import { joinJsonList } from '../platform/http/http-response.ts';
import { pageInput, paginated, parsePage } from '../platform/http/pages.ts';
import { get, type Route } from '../platform/http/routes.ts';
import { filterIdSchema, idSchema } from '../platform/id-schema.ts';
import { Status } from '../statuses/index.ts';
import { filterVisibleStatuses, presentStatuses } from '../statuses/read/index.ts';
import { findBookmarks } from './find-bookmarks.ts';
import { requireFolder } from './find-folders.ts';
import { folderRoutes } from './folder-routes.ts';
import { parseSearch } from './parse-search.ts';

const limits = { defaultLimit: 20, maxLimit: 40 };

export const routes: readonly Route[] = [
  get('/api/v1/fieldfare/bookmarks', {
    summary: "List or search the viewer's bookmarks",
    access: 'user',
    scope: 'read|read:bookmarks',
    input: Type.Object({
      ...pageInput(limits),
      q: Type.Optional(Type.String({ description: 'Words that the post contains' })),
      account_id: Type.Optional(filterIdSchema<'account'>()),
      folder_id: Type.Optional(idSchema<'bookmark-folder'>()),
      unfiled: Type.Optional(Type.Boolean({ description: 'Only bookmarks in no folder' })),
    }),
    response: Type.Array(Status),
    async handle({ app, viewer, input, request }) {
      const { accountId } = viewer;
      const { folder_id: folderId, account_id: authorId } = input;
      const patterns = parseSearch(input.q);
      if (folderId !== undefined) await requireFolder(app, accountId, folderId);
      const within = folderId ?? (input.unfiled === true ? 'unfiled' : undefined);
      const page = parsePage(input, limits);
      const { statusIds, ...ends } = await findBookmarks(app, page, { accountId, within, authorId, patterns });
      const visible = await filterVisibleStatuses(app, accountId, statusIds, 'saved');
      return paginated(app, request, { json: joinJsonList(await presentStatuses(app, viewer, visible)), ...ends });
    },
  }),
  ...folderRoutes,
];
