import { repliesChanged, statusCountersChanged, statusTagged } from '../events.ts';
import { sql } from 'kysely';
import { adjustAccountStats } from '../../accounts/index.ts';
import { tagCollections } from '../../collections/index.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import {
  newId,
  type AccountId,
  type ApplicationId,
  type ConversationId,
  type MediaId,
  type PollId,
  type StatusId,
  type TagId,
} from '../../platform/ids.ts';
import type { ContentType } from '../../text/format/index.ts';
import { storedContentType } from './content-type.ts';
import type { HeldReply } from '../approval/held-reply.ts';
import { counterColumns, buildCounters, type CounterRow } from '../read/status-counters.ts';
import type { Visibility } from '../tables.ts';
import { isLocalOnly, plainVisibility } from '../visibility/visibility.ts';
import { isCountedReplySql } from '../visibility/visibility-sql.ts';

/** A status with its mentions, tags and attachments, ready to be stored. */
export interface NewStatus {
  readonly id: StatusId;
  readonly accountId: AccountId;
  readonly uri: string;
  readonly url: string | null;
  readonly local: boolean;
  readonly text: string;
  /** Format of `text`. */
  readonly contentType: ContentType;
  readonly content: string;
  readonly spoilerText: string;
  readonly sensitive: boolean;
  readonly language: string | null;
  readonly visibility: Visibility;
  readonly inReplyToId: StatusId | null;
  readonly inReplyToAccountId: AccountId | null;
  readonly isReply: boolean;
  /** Null starts a new conversation. */
  readonly conversationId: ConversationId | null;
  /** Whether `conversationId` names a new conversation. Default: whether it is null. */
  readonly startsConversation?: boolean;
  readonly applicationId: ApplicationId | null;
  readonly mediaIds: readonly MediaId[];
  readonly pollId: PollId | null;
  /** Encoded by `encodeQuotePolicy`. */
  readonly quotePolicy: number;
  /** Encoded by `encodeInteractionPolicy`; null: everyone is permitted. */
  readonly interactionPolicy: number | null;
  readonly mentions: readonly { readonly accountId: AccountId; readonly silent: boolean }[];
  readonly tagIds: readonly TagId[];
  /** ActivityPub ids of collections that it names in addition to the links in its content. */
  readonly collectionUris?: readonly string[] | undefined;
  readonly createdAt: Date;
  /** Set for a reply that waits for the author of its parent, with the audience of `heldAudience`. */
  readonly heldReply?: HeldReply | undefined;
  /** Set for a reply that the policy of the parent permits, and that other servers accept only with a proof. */
  readonly provenReply?: HeldReply | undefined;
  /** Set for a remote post that was edited before it was received. */
  readonly editedAt?: Date | null;
  /** Read from the outbox of its author, not delivered. Their counter of statuses already has it. */
  readonly backfilled?: boolean | undefined;
}

/**
 * Stores statuses with their conversations, mentions and tags, and updates the counters of authors and parents, in two
 * statements. Skips statuses whose uri or id exists, and returns the ids of the others.
 */
export async function insertStatuses(tx: Transaction, statuses: readonly NewStatus[]): Promise<ReadonlySet<StatusId>> {
  const { rows } = await insertRecords(tx, statuses.map(toRecord));
  const stored = new Set(rows.map(({ id }) => id));
  const inserted = statuses.filter(({ id }) => stored.has(id));
  if (inserted.length === 0) return stored;
  adjustAccountStats(
    tx,
    inserted.map(({ accountId, visibility, createdAt, backfilled }) => ({
      accountId,
      ...(visibility !== 'direct' && backfilled !== true && { statuses: 1 }),
      lastStatusAt: createdAt.toISOString(),
    })),
  );
  await tagCollections(
    tx,
    inserted.map(({ id, content, collectionUris }) => ({ statusId: id, html: content, uris: collectionUris })),
  );
  for (const { id: statusId, accountId, visibility, tagIds, language, inReplyToId, backfilled } of inserted) {
    if (inReplyToId !== null) tx.emit(repliesChanged({ statusId: inReplyToId }));
    if (plainVisibility(visibility) === 'public' && tagIds.length > 0 && backfilled !== true)
      tx.emit(statusTagged({ statusId, accountId, tagIds: [...tagIds], language, localOnly: isLocalOnly(visibility) }));
  }
  for (const counters of rows.filter(hasParentCounters).map(buildCounters)) tx.emit(statusCountersChanged(counters));
  return stored;
}

/** An inserted status, with the counters of its parent if the reply counts there. */
type InsertedRow = { readonly id: StatusId } & { readonly [Name in keyof CounterRow]: CounterRow[Name] | null };

const hasParentCounters = (row: InsertedRow): row is InsertedRow & CounterRow => row.status_id !== null;

/** Returns a status as the input of `insertRecords`. */
function toRecord(status: NewStatus) {
  const { createdAt } = status;
  return {
    id: status.id,
    account_id: status.accountId,
    uri: status.uri,
    url: status.url,
    local: status.local,
    text: status.text,
    content_type: storedContentType(status.contentType),
    content: status.content,
    spoiler_text: status.spoilerText,
    sensitive: status.sensitive,
    language: status.language,
    visibility: status.visibility,
    in_reply_to_id: status.inReplyToId,
    in_reply_to_account_id: status.inReplyToAccountId,
    is_reply: status.isReply,
    conversation_id: status.conversationId ?? newId<'conversation'>(createdAt),
    application_id: status.applicationId,
    media_ids: status.mediaIds,
    poll_id: status.pollId,
    quote_policy: status.quotePolicy,
    interaction_policy: status.interactionPolicy,
    created_at: createdAt,
    edited_at: status.editedAt ?? null,
    backfilled: status.backfilled ?? false,
    starts_conversation: status.startsConversation ?? status.conversationId === null,
    mentions: status.mentions.map(({ accountId, silent }) => ({ id: newId<'row'>(createdAt), accountId, silent })),
    tag_ids: status.tagIds,
  };
}

/** The parent may be stored by the same statement, which does not see it. */
const isCountedReply = isCountedReplySql(
  sql`input.visibility`,
  sql`input.in_reply_to_id`,
  sql`(select id, visibility from statuses union all select id, visibility from input)`,
);

function insertRecords({ db }: Transaction, records: readonly ReturnType<typeof toRecord>[]) {
  const mentions = records.flatMap((record) => record.mentions.map((mention) => ({ ...mention, of: record.id })));
  const tags = records.flatMap((record) => record.tag_ids.map((id) => ({ id, of: record.id })));
  return sql<InsertedRow>`
    with input as materialized (
      select * from json_to_recordset(${JSON.stringify(records)}::json) as input(id bigint, account_id bigint, uri text,
        url text, local boolean, text text, content_type text, content text, spoiler_text text, sensitive boolean, language text,
        visibility text, in_reply_to_id bigint, in_reply_to_account_id bigint, is_reply boolean, conversation_id bigint,
        application_id bigint, media_ids bigint[], poll_id bigint, quote_policy smallint, interaction_policy integer, created_at timestamptz, edited_at timestamptz,
        backfilled boolean, starts_conversation boolean)
    ), conversation as (
      insert into conversations (id, created_at) select conversation_id, created_at from input where starts_conversation
    ), status as (
      insert into statuses (id, account_id, uri, url, local, text, content_type, content, spoiler_text, sensitive, language,
        visibility, in_reply_to_id, in_reply_to_account_id, is_reply, conversation_id, application_id, media_ids,
        has_media, poll_id, quote_policy, interaction_policy, created_at, edited_at, backfilled)
      select id, account_id, uri, url, local, text, content_type, content, spoiler_text, sensitive, language,
        visibility, in_reply_to_id, in_reply_to_account_id, is_reply, conversation_id, application_id, media_ids,
        cardinality(media_ids) > 0, poll_id, quote_policy, interaction_policy, created_at, edited_at, backfilled
      from input
      on conflict do nothing
      returning id
    ), mention as (
      insert into mentions (id, status_id, account_id, silent)
      select mention.id, mention.status_id, mention.account_id, mention.silent
      from unnest(${mentions.map(({ id }) => id)}::bigint[], ${mentions.map(({ of }) => of)}::bigint[],
        ${mentions.map(({ accountId }) => accountId)}::bigint[], ${mentions.map(({ silent }) => silent)}::boolean[])
        as mention(id, status_id, account_id, silent)
      where mention.status_id in (select id from status)
      on conflict do nothing
    ), tag as (
      insert into status_tags (tag_id, status_id)
      select tag.id, tag.status_id
      from unnest(${tags.map(({ id }) => id)}::bigint[], ${tags.map(({ of }) => of)}::bigint[]) as tag(id, status_id)
      where tag.status_id in (select id from status)
      on conflict do nothing
    ), parent as (
      insert into status_stats (status_id, replies_count, unseen_replies_count)
      select in_reply_to_id, count(*), -count(*) filter (where not local) from input
      where in_reply_to_id is not null and id in (select id from status)
        and ${isCountedReply}
      group by in_reply_to_id order by in_reply_to_id
      on conflict (status_id) do update set
        replies_count = status_stats.replies_count + excluded.replies_count,
        unseen_replies_count = status_stats.unseen_replies_count + excluded.unseen_replies_count,
        version = status_stats.version + 1
      returning ${counterColumns}
    )
    select status.id, ${counterColumns}
    from status join input using (id) left join parent on parent.status_id = input.in_reply_to_id`.execute(db);
}
