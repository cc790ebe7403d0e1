import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { fileSchema } from '../../platform/http/parse-params.ts';
import { del, get, post, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { confirmPostImport, createPostImport, stopPostImport, undoPostImport } from './change-post-imports.ts';
import { listPostImports, presentPostImport, presentPostImports, requirePostImport } from './find-post-imports.ts';
import { PostImport } from './schema.ts';

/** Bytes. A little more than the quota, so that a file that exceeds it is refused in words. */
const bodyLimit = ({ config }: App): number => (config.IMPORT_QUOTA + 1) * 1_048_576;

const params = Type.Object({ id: idSchema<'post-import'>() });
const readAccess = { access: 'user', scope: 'read' } as const;
const writeAccess = { access: 'user', scope: 'write' } as const;
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** Imports of the posts that a person published elsewhere. */
export const postImportRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/post_imports', {
    summary: 'List your last imports of posts, newest first',
    ...readAccess,
    response: Type.Array(PostImport),
    handle: async ({ app, viewer }) => presentPostImports(app, await listPostImports(app, viewer.accountId)),
  }),
  post('/api/v1/fieldfare/post_imports', {
    summary: 'Upload an archive with posts that you published elsewhere; confirm it to import them',
    ...writeAccess,
    rateLimit: 'imports',
    bodyLimit,
    allowSlowBody: true,
    input: Type.Object({
      file: Type.Optional(fileSchema()),
      origin: Type.Optional(
        Type.String({
          description:
            "Address of the server, for files that do not name it, such as Misskey's notes.json; at most 300 characters",
        }),
      ),
    }),
    response: PostImport,
    handle: async ({ app, viewer, input: { file, origin } }) =>
      presentPostImport(app, await createPostImport(app, viewer.accountId, { file, origin })),
  }),
  get('/api/v1/fieldfare/post_imports/:id', {
    summary: 'Show an import of posts and how far it is',
    ...readAccess,
    params,
    response: PostImport,
    handle: async ({ app, viewer, params: { id } }) =>
      presentPostImport(app, await requirePostImport(app, viewer.accountId, id)),
  }),
  post('/api/v1/fieldfare/post_imports/:id/confirm', {
    summary: 'Confirm an import of posts, which starts it',
    ...writeAccess,
    params,
    input: Type.Object({
      direct: flag('Also import direct posts, which only you will see'),
      bookmarks: flag('Also import bookmarks, as an import of bookmarks'),
      likes: flag('Also import favourites, as bookmarks'),
      other_account: flag('The posts are yours, although neither this account nor one of its aliases posted them'),
    }),
    response: PostImport,
    async handle({ app, viewer: { accountId }, params: { id }, input }) {
      await confirmPostImport(app, accountId, id, {
        direct: input.direct === true,
        bookmarks: input.bookmarks === true,
        likes: input.likes === true,
        otherAccount: input.other_account === true,
      });
      return presentPostImport(app, await requirePostImport(app, accountId, id));
    },
  }),
  post('/api/v1/fieldfare/post_imports/:id/stop', {
    summary: 'Stop an import of posts; those that it added stay',
    ...writeAccess,
    params,
    response: PostImport,
    async handle({ app, viewer: { accountId }, params: { id } }) {
      await stopPostImport(app, accountId, id);
      return presentPostImport(app, await requirePostImport(app, accountId, id));
    },
  }),
  del('/api/v1/fieldfare/post_imports/:id', {
    summary: 'Undo an import: all posts that it added are deleted, and then the import',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await undoPostImport(app, viewer.accountId, id);
      return {};
    },
  }),
];
