import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { fileSchema } from '../../platform/http/parse-params.ts';
import { unprocessable } from '../../platform/http/http-errors.ts';
import { del, get, post, put, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { updateMedia } from '../update-media.ts';
import { processingFailed } from '../decoding/decoder-pool.ts';
import { deleteMedia } from '../delete-media.ts';
import { findEarlierDescription } from './earlier-description.ts';
import { maxVideoBytes } from '../limits.ts';
import { requireUnattachedMedia } from './uploaded-media.ts';
import { presentMedia } from '../present-media.ts';
import { UploadedMedia } from '../schema.ts';
import type { MediaRow } from '../tables.ts';
import { uploadMedia } from './upload-media.ts';

const scope = 'write|write:media';
const params = Type.Object({ id: idSchema<'media'>() });
const metadataInput = {
  thumbnail: Type.Optional(fileSchema()),
  description: Type.Optional(Type.String()),
  focus: Type.Optional(Type.String()),
};
const upload = {
  access: 'user',
  onlyAdds: true,
  scope,
  rateLimit: 'media',
  bodyLimit: maxVideoBytes,
  allowSlowBody: true,
  input: Type.Object({ file: Type.Optional(fileSchema()), ...metadataInput }),
  response: UploadedMedia,
  otherStatuses: { 202: 'Accepted; a video, audio file or animated GIF is still being processed' },
} as const;
const processingStatus = { 206: 'The file is still being processed' };

const create = post('/api/v2/media', {
  ...upload,
  summary: 'Upload a file for a status; 202 while a video, audio file or animated GIF is being processed',
  handle: async ({ app, viewer, input }) =>
    respondWithMedia(app, await uploadMedia(app, viewer.accountId, input, { synchronous: false }), { waiting: 202 }),
});

const createSynchronously = post('/api/v1/media', {
  ...upload,
  summary: 'Upload a file for a status and wait until it is processed',
  deprecatedSince: '2020-02-28',
  handle: async ({ app, viewer, input }) =>
    respondWithMedia(app, await uploadMedia(app, viewer.accountId, input, { synchronous: true }), { waiting: 202 }),
});

const show = get('/api/v1/media/:id', {
  summary: 'Show a file of yours that is not posted yet; 206 while it is being processed',
  access: 'user',
  scope,
  params,
  response: UploadedMedia,
  otherStatuses: processingStatus,
  handle: async ({ app, viewer, params: { id } }) =>
    respondWithMedia(app, await requireUnattachedMedia(app, viewer.accountId, id), { waiting: 206 }),
});

const update = put('/api/v1/media/:id', {
  summary: 'Change description, focus or thumbnail of a file of mine that is not posted yet',
  access: 'user',
  scope,
  bodyLimit: upload.bodyLimit,
  allowSlowBody: true,
  params,
  input: Type.Object(metadataInput),
  response: UploadedMedia,
  otherStatuses: processingStatus,
  handle: async ({ app, viewer, params: { id }, input }) =>
    respondWithMedia(app, await updateMedia(app, viewer.accountId, id, input), { waiting: 206 }),
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

export const uploadRoutes: Route[] = [create, createSynchronously, show, update, remove];

/**
 * Presents a file to its owner, with its own HTTP status while it is being processed. Throws 422 if processing failed.
 */
async function respondWithMedia(
  app: App,
  row: MediaRow,
  { waiting }: { waiting: 202 | 206 },
): Promise<UploadedMedia | HttpResponse> {
  if (row.state === 'failed') throw unprocessable(processingFailed);
  const [attachment] = await presentMedia(app, [row]);
  if (attachment === undefined) throw new Error('a row is presented as one attachment');
  const uploaded: UploadedMedia = { ...attachment, earlier_description: await findEarlierDescription(app, row) };
  return row.state === 'waiting' ? new HttpResponse({ status: waiting, json: uploaded }) : uploaded;
}
