import { Type } from 'typebox';
import { InteractionPolicyInput, parsePolicyInput } from '../../interactions/policy/index.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { del, post, type CurrentUser } from '../../platform/http/routes.ts';
import type { App } from '../../platform/app.ts';
import type { JsonText } from '../../platform/http/http-response.ts';
import { isId, type AccountId, type StatusId } from '../../platform/ids.ts';
import { idSchema, uncheckedIdSchema } from '../../platform/id-schema.ts';
import { PollInput } from '../../polls/index.ts';
import { QuotePolicyInput } from '../../quotes/policy/index.ts';
import { deleteStatus } from './delete-status.ts';
import { requireVisibleStatus } from '../read/filter-visible-statuses.ts';
import type { StatusParams } from './status-params.ts';
import { findHeldPost, findOwnHeldPost, type HeldPostRow } from '../held/find-held-posts.ts';
import { presentAsStatus } from '../held/present-as-status.ts';
import { withdrawHeldPost } from '../held/withdraw-held-post.ts';
import { parseIdempotencyKey } from './idempotency-header.ts';
import { postStatus } from './post-status.ts';
import { presentScheduledStatus } from '../schedule/present-scheduled.ts';
import { presentStatus, presentStatuses } from '../read/present-statuses.ts';
import { notQuotableError } from '../quote/quote-status.ts';
import { parseScheduledAt, scheduleStatus } from '../schedule/schedule-status.ts';
import { requireScheduledStatus } from '../schedule/scheduled-statuses.ts';
import { ContentType, DeletedStatus, LocalOnlyInput, ScheduledStatus, Status, Visibility } from '../schema.ts';
import { loadStatusSource } from '../edit/load-status-source.ts';
import type { ScheduledId } from '../tables.ts';

export const postRoutes = [
  post('/api/v1/statuses', {
    summary: 'Post a status',
    access: 'user',
    onlyAdds: true,
    scope: 'write|write:statuses',
    rateLimit: 'statuses',
    input: Type.Object({
      status: Type.Optional(Type.String()),
      content_type: Type.Optional(ContentType),
      spoiler_text: Type.Optional(Type.String()),
      visibility: Type.Optional(Visibility),
      local_only: Type.Optional(LocalOnlyInput),
      sensitive: Type.Optional(Type.Boolean()),
      language: Type.Optional(Type.String()),
      in_reply_to_id: Type.Optional(idSchema<'status'>()),
      media_ids: Type.Optional(Type.Array(uncheckedIdSchema())),
      poll: Type.Optional(PollInput),
      allowed_mentions: Type.Optional(Type.Array(idSchema<'account'>())),
      scheduled_at: Type.Optional(Type.String({ description: 'ISO 8601, at least five minutes ahead' })),
      quoted_status_id: Type.Optional(uncheckedIdSchema({ description: 'The status to quote' })),
      quote_approval_policy: Type.Optional(QuotePolicyInput),
      interaction_policy: Type.Optional(InteractionPolicyInput),
    }),
    response: Type.Union([Status, ScheduledStatus]),
    async handle({ app, viewer, caller, input, request }) {
      const params: StatusParams = {
        text: input.status,
        contentType: input.content_type,
        spoilerText: input.spoiler_text,
        visibility: input.visibility,
        localOnly: input.local_only,
        sensitive: input.sensitive,
        language: input.language,
        mediaIds: input.media_ids,
        poll: input.poll,
        inReplyToId: input.in_reply_to_id,
        quotedStatusId: parseQuotedId(input.quoted_status_id),
        quotePolicy: input.quote_approval_policy,
        interactionPolicy: input.interaction_policy && parsePolicyInput(input.interaction_policy),
        allowedMentions: input.allowed_mentions,
        applicationId: caller.applicationId,
        idempotencyKey: parseIdempotencyKey(request),
      };
      const at = parseScheduledAt(app, input.scheduled_at);
      if (at === undefined) return presentCreated(app, viewer, await postStatus(app, viewer.accountId, params));
      return presentCreated(app, viewer, await scheduleStatus(app, viewer.accountId, params, at));
    },
  }),

  del('/api/v1/statuses/:id', {
    summary: 'Delete a status',
    access: 'user',
    scope: 'write|write:statuses',
    rateLimit: 'deletes',
    params: Type.Object({ id: idSchema<'status'>() }),
    input: Type.Object({
      delete_media: Type.Optional(
        Type.Boolean({ description: 'Deletes the media at once, instead of keeping them for a day for a redraft' }),
      ),
    }),
    response: DeletedStatus,
    async handle({ app, viewer, params: { id }, input }) {
      const held = await requireOwnStatus(app, viewer.accountId, id);
      if (held !== undefined) return withdraw(app, held);
      const [{ text, content_type }, status] = await Promise.all([
        loadStatusSource(app, id),
        presentStatus(app, viewer, id),
      ]);
      await deleteStatus(app, id, { keepMedia: input.delete_media !== true });
      const { content: _content, ...shown } = status.parse();
      return { ...shown, text, content_type };
    },
  }),
];

/**
 * Presents the created status, one that is held for review, or the scheduled status of an idempotency key that was used
 * to schedule one.
 */
async function presentCreated(
  app: App,
  viewer: CurrentUser,
  id: StatusId | ScheduledId,
): Promise<JsonText<Status | ScheduledStatus>> {
  const [status] = await presentStatuses(app, viewer, [id as StatusId]);
  if (status !== undefined) return status;
  const held = await findHeldPost(app, id as StatusId);
  if (held?.state === 'pending') return presentAsStatus(app, held);
  return presentScheduledStatus(app, await requireScheduledStatus(app, viewer.accountId, id as ScheduledId));
}

/** Throws 404 unless a status is the account's own. Returns it if it is held for review, otherwise undefined. */
async function requireOwnStatus(app: App, accountId: AccountId, id: StatusId): Promise<HeldPostRow | undefined> {
  try {
    if ((await requireVisibleStatus(app, accountId, id)).accountId === accountId) return undefined;
  } catch (error) {
    // Only then, so that other statuses cost no query.
    const held = await findOwnHeldPost(app, accountId, id);
    if (held?.state !== 'pending') throw error;
    return held;
  }
  throw notFound();
}

/** Withdraws a held post, and presents it as a deleted status. */
async function withdraw(app: App, held: HeldPostRow): Promise<DeletedStatus> {
  const { content: _content, ...shown } = (await presentAsStatus(app, held)).parse();
  await withdrawHeldPost(app, held.account_id, held.id);
  const { params, preview } = held;
  return {
    ...shown,
    text: preview.text,
    content_type: ('local' in params && params.local.contentType) || 'text/plain',
  };
}

function parseQuotedId(text: string | undefined): StatusId | undefined {
  if (text === undefined) return undefined;
  if (!isId(text)) throw notQuotableError();
  return text;
}
