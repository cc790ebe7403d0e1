import { Type } from 'typebox';
import { del, get, post, put, type Route } from '../platform/http/routes.ts';
import { idSchema } from '../platform/id-schema.ts';
import { createFolder, deleteFolder, updateFolder } from './change-folders.ts';
import { listFolders, listFoldersOfStatus, requireFolder } from './find-folders.ts';
import { addToFolder, removeFromFolder } from './folder-items.ts';
import { BookmarkFolder } from './schema.ts';

const params = Type.Object({ id: idSchema<'bookmark-folder'>() });
const readAccess = { access: 'user', scope: 'read|read:bookmarks' } as const;
const writeAccess = { access: 'user', scope: 'write|write:bookmarks' } as const;
const name = Type.String({ description: 'At most 100 characters, unlike the other folders' });
const items = Type.Object({
  status_ids: Type.Optional(Type.Array(idSchema<'status'>(), { description: 'Bookmarked posts, at most 40' })),
});
const emptyObject = Type.Object({});

export const folderRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/bookmark_folders', {
    summary: "List the viewer's bookmark folders in their order",
    ...readAccess,
    response: Type.Array(BookmarkFolder),
    handle: ({ app, viewer }) => listFolders(app, viewer.accountId),
  }),
  post('/api/v1/fieldfare/bookmark_folders', {
    summary: 'Create a bookmark folder',
    ...writeAccess,
    input: Type.Object({ name: Type.Optional(name) }),
    response: BookmarkFolder,
    async handle({ app, viewer: { accountId }, input }) {
      return requireFolder(app, accountId, await createFolder(app, accountId, input.name ?? ''));
    },
  }),
  get('/api/v1/fieldfare/bookmark_folders/:id', {
    summary: 'Show a bookmark folder',
    ...readAccess,
    params,
    response: BookmarkFolder,
    handle: ({ app, viewer, params: { id } }) => requireFolder(app, viewer.accountId, id),
  }),
  put('/api/v1/fieldfare/bookmark_folders/:id', {
    summary: 'Rename or move a bookmark folder',
    ...writeAccess,
    params,
    input: Type.Object({
      name: Type.Optional(name),
      position: Type.Optional(Type.Integer({ minimum: 0, description: 'The new place among the folders, from 0' })),
    }),
    response: BookmarkFolder,
    async handle({ app, viewer: { accountId }, params: { id }, input }) {
      await updateFolder(app, accountId, id, input);
      return requireFolder(app, accountId, id);
    },
  }),
  del('/api/v1/fieldfare/bookmark_folders/:id', {
    summary: 'Delete a bookmark folder; its bookmarks stay',
    ...writeAccess,
    params,
    response: emptyObject,
    async handle({ app, viewer, params: { id } }) {
      await deleteFolder(app, viewer.accountId, id);
      return {};
    },
  }),
  post('/api/v1/fieldfare/bookmark_folders/:id/statuses', {
    summary: 'Put bookmarked posts into a folder',
    ...writeAccess,
    params,
    input: items,
    response: emptyObject,
    async handle({ app, viewer, params: { id }, input: { status_ids: statusIds = [] } }) {
      await addToFolder(app, { accountId: viewer.accountId, folderId: id, statusIds });
      return {};
    },
  }),
  del('/api/v1/fieldfare/bookmark_folders/:id/statuses', {
    summary: 'Remove posts from a folder; they stay bookmarked',
    ...writeAccess,
    params,
    input: items,
    response: emptyObject,
    async handle({ app, viewer, params: { id }, input: { status_ids: statusIds = [] } }) {
      await removeFromFolder(app, { accountId: viewer.accountId, folderId: id, statusIds });
      return {};
    },
  }),
  get('/api/v1/fieldfare/statuses/:id/bookmark_folders', {
    summary: "List the viewer's folders with a bookmarked post",
    ...readAccess,
    params: Type.Object({ id: idSchema<'status'>() }),
    response: Type.Array(BookmarkFolder),
    handle: ({ app, viewer, params: { id } }) => listFoldersOfStatus(app, viewer.accountId, id),
  }),
];
