import { Type } from 'typebox';
import { notFound, unprocessable } from '../platform/http/problems.ts';
import { del, post } from '../platform/http/routes.ts';
import { idSchema } from '../platform/ids.ts';
import { PollInput } from '../polls/index.ts';
import { deleteStatus } from './delete-status.ts';
import { requireVisibleStatus } from './keep-visible.ts';
import { postStatus } from './post-status.ts';
import { presentStatus } from './present-statuses.ts';
import { DeletedStatus, Status, Visibility } from './schema.ts';
import { sourceOf } from './source.ts';

/** What clients may send, but this server does not do yet: refused by name, so that nothing is lost silently. */
const notYet = {
  scheduled_at: Type.Optional(Type.String()),
  quoted_status_id: Type.Optional(Type.String()),
};

export const postRoutes = [
  post('/api/v1/statuses', {
    summary: 'Post a status',
    access: 'user',
    scope: 'write|write:statuses',
    rateLimit: 'statuses',
    input: Type.Object({
      status: Type.Optional(Type.String()),
      spoiler_text: Type.Optional(Type.String()),
      visibility: Type.Optional(Visibility),
      sensitive: Type.Optional(Type.Boolean()),
      language: Type.Optional(Type.String()),
      in_reply_to_id: Type.Optional(idSchema<'status'>()),
      media_ids: Type.Optional(Type.Array(Type.String())),
      poll: Type.Optional(PollInput),
      allowed_mentions: Type.Optional(Type.Array(idSchema<'account'>())),
      ...notYet,
    }),
    response: Status,
    async handle({ app, viewer, caller, input, request }) {
      refuseMissing(input);
      const key = request.headers['idempotency-key'];
      const id = await postStatus(app, viewer.accountId, {
        text: input.status,
        spoilerText: input.spoiler_text,
        visibility: input.visibility,
        sensitive: input.sensitive,
        language: input.language,
        mediaIds: input.media_ids?.filter((mediaId) => mediaId !== ''),
        poll: input.poll,
        inReplyToId: input.in_reply_to_id,
        allowedMentions: input.allowed_mentions,
        applicationId: caller.applicationId,
        idempotencyKey: typeof key === 'string' && key !== '' ? key.slice(0, longestKey) : undefined,
      });
      return presentStatus(app, viewer, id);
    },
  }),

  del('/api/v1/statuses/:id', {
    summary: 'Delete an own status',
    access: 'user',
    scope: 'write|write:statuses',
    rateLimit: 'deletes',
    params: Type.Object({ id: idSchema<'status'>() }),
    input: Type.Object({
      delete_media: Type.Optional(
        Type.Boolean({ description: 'Removes the files at once, instead of keeping them a day to be posted anew' }),
      ),
    }),
    response: DeletedStatus,
    async handle({ app, viewer, params: { id }, input }) {
      const { accountId } = await requireVisibleStatus(app, viewer.accountId, id);
      if (accountId !== viewer.accountId) throw notFound();
      const [{ text }, status] = await Promise.all([sourceOf(app, id), presentStatus(app, viewer, id)]);
      await deleteStatus(app, id, { keepMedia: input.delete_media !== true });
      const { content: _content, ...shown } = JSON.parse(status.text) as Status;
      return { ...shown, text };
    },
  }),
];

const longestKey = 255;

function refuseMissing(input: { scheduled_at?: string; quoted_status_id?: string }) {
  const sent = [
    isText(input.scheduled_at) && 'scheduled_at',
    isText(input.quoted_status_id) && 'quoted_status_id',
  ].filter((name) => name !== false);
  if (sent.length > 0) throw unprocessable(`Not supported by this server: ${sent.join(', ')}`);
}

const isText = (value: string | undefined): boolean => value !== undefined && value !== '';
