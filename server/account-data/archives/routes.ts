import { Type } from 'typebox';
import { notFound } from '../../platform/http/http-errors.ts';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { del, get, post, type Route } from '../../platform/http/routes.ts';
import { textBody } from '../../platform/http/text-bodies.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { deleteArchive, requestArchive } from './change-archives.ts';
import { isDownloadable, listArchives, presentArchive, requireArchive } from './find-archives.ts';
import { Archive } from './schema.ts';

const params = Type.Object({ id: idSchema<'archive'>() });
const readAccess = { access: 'user', scope: 'read' } as const;
const writeAccess = { access: 'user', scope: 'write' } as const;

/** Archives with all posts and files of an account; Mastodon has a page for them. */
export const archiveRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/archives', {
    summary: 'List the archives of your data that you requested, newest first',
    ...readAccess,
    response: Type.Array(Archive),
    handle: async ({ app, viewer }) =>
      (await listArchives(app, viewer.accountId)).map((row) => presentArchive(app, row)),
  }),
  post('/api/v1/fieldfare/archives', {
    summary: 'Request an archive of your posts, files, favourites and bookmarks, once in 7 days',
    ...writeAccess,
    response: Archive,
    handle: async ({ app, viewer }) => presentArchive(app, await requestArchive(app, viewer.accountId)),
  }),
  get('/api/v1/fieldfare/archives/:id/file', {
    summary: 'Download an archive of your data, as a tar file compressed with gzip',
    ...readAccess,
    params,
    response: textBody('application/gzip'),
    async handle({ app, viewer, params: { id } }) {
      const row = await requireArchive(app, viewer.accountId, id);
      if (row.storage_key === null || !isDownloadable(app, row)) throw notFound();
      const file = await app.storage.openStream(row.storage_key);
      if (file === undefined) throw notFound();
      const day = row.requested_at.toISOString().slice(0, 10);
      return new HttpResponse({
        text: file.stream,
        headers: {
          'content-type': file.contentType,
          'content-length': String(file.size),
          'content-disposition': `attachment; filename="archive-${day}.tar.gz"`,
          'cache-control': 'private, no-store',
        },
      });
    },
  }),
  del('/api/v1/fieldfare/archives/:id', {
    summary: 'Delete an archive of your data, or stop making it',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await deleteArchive(app, viewer.accountId, id);
      return {};
    },
  }),
];
