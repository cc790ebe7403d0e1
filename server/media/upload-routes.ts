import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { Answer } from '../platform/http/answers.ts';
import { fileSchema } from '../platform/http/params.ts';
import { unprocessable } from '../platform/http/problems.ts';
import { del, get, post, put, type Route } from '../platform/http/routes.ts';
import { idSchema } from '../platform/ids.ts';
import { changeMedia } from './change-media.ts';
import { unreadable } from './decoding/decoders.ts';
import { deleteMedia } from './delete-media.ts';
import { largestFilm } from './limits.ts';
import { requireFreeMedia } from './own-media.ts';
import { presentMedia } from './present-media.ts';
import { MediaAttachment } from './schema.ts';
import type { MediaRow } from './tables.ts';
import { uploadMedia } from './upload-media.ts';

const scope = 'write|write:media';
const params = Type.Object({ id: idSchema<'media'>() });
const words = {
  thumbnail: Type.Optional(fileSchema()),
  description: Type.Optional(Type.String()),
  focus: Type.Optional(Type.String()),
};
const upload = {
  access: 'user',
  scope,
  rateLimit: 'media',
  bodyLimit: largestFilm,
  slowBody: true,
  input: Type.Object({ file: Type.Optional(fileSchema()), ...words }),
  response: MediaAttachment,
  otherStatuses: { 202: 'Accepted; a video, sound or moving GIF is still being processed' },
} as const;
const unfinished = { 206: 'The file is still being processed' };

const create = post('/api/v2/media', {
  ...upload,
  summary: 'Upload a file for a status; 202 while a video, sound or moving GIF is still being processed',
  handle: async ({ app, viewer, input }) =>
    answer(app, await uploadMedia(app, viewer.accountId, input, { atOnce: false }), { waiting: 202 }),
});

const createAtOnce = post('/api/v1/media', {
  ...upload,
  summary: 'Upload a file for a status and wait until it is processed',
  deprecatedSince: '2020-02-28',
  handle: async ({ app, viewer, input }) =>
    answer(app, await uploadMedia(app, viewer.accountId, input, { atOnce: true }), { waiting: 202 }),
});

const show = get('/api/v1/media/:id', {
  summary: 'A file of mine that is not posted yet; 206 while it is being processed',
  access: 'user',
  scope,
  params,
  response: MediaAttachment,
  otherStatuses: unfinished,
  handle: async ({ app, viewer, params: { id } }) =>
    answer(app, await requireFreeMedia(app, viewer.accountId, id), { waiting: 206 }),
});

const update = put('/api/v1/media/:id', {
  summary: 'Change description, focus or thumbnail of a file of mine that is not posted yet',
  access: 'user',
  scope,
  bodyLimit: upload.bodyLimit,
  slowBody: true,
  params,
  input: Type.Object(words),
  response: MediaAttachment,
  otherStatuses: unfinished,
  handle: async ({ app, viewer, params: { id }, input }) =>
    answer(app, await changeMedia(app, viewer.accountId, id, input), { waiting: 206 }),
});

const remove = del('/api/v1/media/:id', {
  summary: 'Delete a file of mine that is not posted',
  access: 'user',
  scope,
  params,
  response: Type.Object({}),
  handle: async ({ app, viewer, params: { id } }) => {
    await deleteMedia(app, viewer.accountId, id);
    return {};
  },
});

export const uploadRoutes: Route[] = [create, createAtOnce, show, update, remove];

/** A file as its owner sees it, with a status of its own while it is being processed; 422 when it could not be. */
async function answer(app: App, row: MediaRow, { waiting }: { waiting: 202 | 206 }): Promise<MediaAttachment | Answer> {
  if (row.state === 'failed') throw unprocessable(unreadable);
  const [attachment] = await presentMedia(app, [row]);
  if (attachment === undefined) throw new Error('a row is presented as one attachment');
  return row.state === 'waiting' ? new Answer({ status: waiting, json: attachment }) : attachment;
}
