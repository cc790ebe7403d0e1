import { Type } from 'typebox';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { textBody } from '../../platform/http/text-bodies.ts';
import { ExportCounts, exportTypes, type ExportType } from './schema.ts';
import { countExports, streamExport } from './stream-exports.ts';

const access = { access: 'user', scope: 'read' } as const;

/** Names of the files, as in Mastodon. */
const fileNames: Readonly<Record<ExportType, string>> = {
  following: 'following_accounts',
  followers: 'followers',
  lists: 'lists',
  blocks: 'blocked_accounts',
  mutes: 'muted_accounts',
  domain_blocks: 'blocked_domains',
  bookmarks: 'bookmarks',
};

/** Downloads of what an account holds; Mastodon has pages for them. */
export const exportRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/exports', {
    summary: 'Return how many rows each export of your data has',
    ...access,
    response: ExportCounts,
    handle: ({ app, viewer }) => countExports(app, viewer.accountId),
  }),
  get('/api/v1/fieldfare/exports/:type', {
    summary: 'Return what you follow, hide or keep as CSV, in the format of Mastodon',
    ...access,
    params: Type.Object({ type: Type.Enum([...exportTypes]) }),
    response: textBody('text/csv'),
    handle: ({ app, viewer, params: { type } }) =>
      new HttpResponse({
        text: streamExport(app, viewer.accountId, type),
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="${fileNames[type]}.csv"`,
        },
      }),
  }),
];
