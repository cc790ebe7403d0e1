import { sql } from 'kysely';
import { adjustAccountStats } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import type { Write } from '../platform/database/write.ts';
import {
  newId,
  type AccountId,
  type ApplicationId,
  type ConversationId,
  type MediaId,
  type PollId,
  type StatusId,
  type TagId,
} from '../platform/ids.ts';
import { dropStatusesAfter } from './status-bodies.ts';
import type { Visibility } from './tables.ts';

/** A status with everything that belongs to it, ready to be stored. */
export interface NewStatus {
  readonly id: StatusId;
  readonly accountId: AccountId;
  readonly uri: string;
  readonly url: string | null;
  readonly local: boolean;
  readonly text: string;
  readonly content: string;
  readonly spoilerText: string;
  readonly sensitive: boolean;
  readonly language: string | null;
  readonly visibility: Visibility;
  readonly inReplyToId: StatusId | null;
  readonly inReplyToAccountId: AccountId | null;
  readonly isReply: boolean;
  /** Null begins a new conversation. */
  readonly conversationId: ConversationId | null;
  readonly applicationId: ApplicationId | null;
  readonly mediaIds: readonly MediaId[];
  readonly pollId: PollId | null;
  readonly mentions: readonly { readonly accountId: AccountId; readonly silent: boolean }[];
  readonly tagIds: readonly TagId[];
  readonly createdAt: Date;
  /** Of a post of another server that was edited before it came here. */
  readonly editedAt?: Date | null;
}

/** Whether a reply counts with its parent: what only some may read is not given away by a number. */
export const isCounted = (visibility: Visibility): boolean => visibility === 'public' || visibility === 'unlisted';

/**
 * Stores a status with its conversation, mentions and tags, and counts it with its author and its parent: two statements.
 * False, and nothing stored, when there is one of the same uri or id already.
 */
export async function insertStatus(write: Write, app: App, status: NewStatus): Promise<boolean> {
  const begins = status.conversationId === null;
  const conversationId = status.conversationId ?? newId<'conversation'>(status.createdAt);
  const parentId = isCounted(status.visibility) ? status.inReplyToId : null;
  const { mentions } = status;
  const { rows } = await sql<{ id: StatusId }>`
    with conversation as (
      insert into conversations (id, created_at)
      select ${conversationId}::bigint, ${status.createdAt}::timestamptz where ${begins}::boolean
    ), status as (
      insert into statuses (id, account_id, uri, url, local, text, content, spoiler_text, sensitive, language,
        visibility, in_reply_to_id, in_reply_to_account_id, is_reply, conversation_id, application_id, media_ids,
        has_media, poll_id, created_at,
        edited_at)
      values (${status.id}, ${status.accountId}, ${status.uri}, ${status.url}, ${status.local}, ${status.text},
        ${status.content}, ${status.spoilerText}, ${status.sensitive}, ${status.language}, ${status.visibility},
        ${status.inReplyToId}, ${status.inReplyToAccountId}, ${status.isReply}, ${conversationId},
        ${status.applicationId}, ${status.mediaIds}::bigint[], ${status.mediaIds.length > 0}, ${status.pollId},
        ${status.createdAt}, ${status.editedAt ?? null})
      on conflict do nothing
      returning id
    ), mention as (
      insert into mentions (id, status_id, account_id, silent)
      select mention.id, status.id, mention.account_id, mention.silent
      from status, unnest(${mentions.map(() => newId<'row'>(status.createdAt))}::bigint[],
        ${mentions.map(({ accountId }) => accountId)}::bigint[],
        ${mentions.map(({ silent }) => silent)}::boolean[]) as mention(id, account_id, silent)
      on conflict do nothing
    ), tag as (
      insert into status_tags (tag_id, status_id)
      select tag.id, status.id from status, unnest(${status.tagIds}::bigint[]) as tag(id)
      on conflict do nothing
    ), parent as (
      insert into status_stats (status_id, replies_count)
      select ${parentId}::bigint, 1 from status where ${parentId}::bigint is not null
      on conflict (status_id) do update set replies_count = status_stats.replies_count + 1
    )
    select id from status`.execute(write.db);
  if (rows.length === 0) return false;
  await adjustAccountStats(write, [
    {
      accountId: status.accountId,
      ...(status.visibility !== 'direct' && { statuses: 1 }),
      lastStatusAt: status.createdAt,
    },
  ]);
  if (parentId !== null) dropStatusesAfter(write, app, [parentId]);
  return true;
}
