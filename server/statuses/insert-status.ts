import { statusCountersChanged } from './events.ts';
import { sql } from 'kysely';
import { adjustAccountStats } from '../accounts/index.ts';
import { tagCollections } from '../collections/index.ts';
import type { Transaction } from '../platform/database/transaction.ts';
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
import type { ContentType } from '../text/index.ts';
import { storedContentType } from './content-type.ts';
import { counterColumns, buildCounters, type CounterRow } from './status-counters.ts';
import type { Visibility } from './tables.ts';
import { isPublicOrUnlisted } from './visibility.ts';

/** A status with everything that belongs to it, ready to be stored. */
export interface NewStatus {
  readonly id: StatusId;
  readonly accountId: AccountId;
  readonly uri: string;
  readonly url: string | null;
  readonly local: boolean;
  readonly text: string;
  /** How `text` was written. */
  readonly contentType: ContentType;
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
  /** As `storedPolicy` makes it. */
  readonly quotePolicy: number;
  readonly mentions: readonly { readonly accountId: AccountId; readonly silent: boolean }[];
  readonly tagIds: readonly TagId[];
  /** Ids of collections that it names beside the links of its content. */
  readonly collectionUris?: readonly string[] | undefined;
  readonly createdAt: Date;
  /** Of a post of another server that was edited before it came here. */
  readonly editedAt?: Date | null;
}

/** As `insertStatuses`, for one: false when it is there already. */
export async function insertStatus(tx: Transaction, status: NewStatus): Promise<boolean> {
  return (await insertStatuses(tx, [status])).has(status.id);
}

/**
 * Stores statuses with their conversations, mentions and tags, and counts them with authors and parents: two statements
 * for any number of them. Gives the ids of those stored; nothing of those whose uri or id is there already.
 */
export async function insertStatuses(tx: Transaction, statuses: readonly NewStatus[]): Promise<ReadonlySet<StatusId>> {
  const { rows } = await insertRecords(tx, statuses.map(toRecord));
  const stored = new Set(rows.map(({ id }) => id));
  const fresh = statuses.filter(({ id }) => stored.has(id));
  if (fresh.length === 0) return stored;
  adjustAccountStats(
    tx,
    fresh.map(({ accountId, visibility, createdAt }) => ({
      accountId,
      ...(visibility !== 'direct' && { statuses: 1 }),
      lastStatusAt: createdAt.toISOString(),
    })),
  );
  await tagCollections(
    tx,
    fresh.map(({ id, content, collectionUris }) => ({ statusId: id, html: content, uris: collectionUris })),
  );
  for (const counters of rows.filter(hasParentCounters).map(buildCounters)) tx.emit(statusCountersChanged(counters));
  return stored;
}

/** The counters are those of the parent, if that counts its answer. */
type InsertedRow = { readonly id: StatusId } & { readonly [Name in keyof CounterRow]: CounterRow[Name] | null };

const hasParentCounters = (row: InsertedRow): row is InsertedRow & CounterRow => row.status_id !== null;

/** What only some may read is not given away by a number. */
const countedParentId = ({ visibility, inReplyToId }: NewStatus): StatusId | null =>
  isPublicOrUnlisted(visibility) ? inReplyToId : null;

/** A status as the statement below reads it: the columns, and what goes into other tables. */
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
    created_at: createdAt,
    edited_at: status.editedAt ?? null,
    begins: status.conversationId === null,
    parent_id: countedParentId(status),
    mentions: status.mentions.map(({ accountId, silent }) => ({ id: newId<'row'>(createdAt), accountId, silent })),
    tag_ids: status.tagIds,
  };
}

function insertRecords({ db }: Transaction, records: readonly ReturnType<typeof toRecord>[]) {
  const mentions = records.flatMap((record) => record.mentions.map((mention) => ({ ...mention, of: record.id })));
  const tags = records.flatMap((record) => record.tag_ids.map((id) => ({ id, of: record.id })));
  return sql<InsertedRow>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(records)}::json) as given(id bigint, account_id bigint, uri text,
        url text, local boolean, text text, content_type text, content text, spoiler_text text, sensitive boolean, language text,
        visibility text, in_reply_to_id bigint, in_reply_to_account_id bigint, is_reply boolean, conversation_id bigint,
        application_id bigint, media_ids bigint[], poll_id bigint, quote_policy smallint, created_at timestamptz, edited_at timestamptz,
        begins boolean, parent_id bigint)
    ), conversation as (
      insert into conversations (id, created_at) select conversation_id, created_at from given where begins
    ), status as (
      insert into statuses (id, account_id, uri, url, local, text, content_type, content, spoiler_text, sensitive, language,
        visibility, in_reply_to_id, in_reply_to_account_id, is_reply, conversation_id, application_id, media_ids,
        has_media, poll_id, quote_policy, created_at, edited_at)
      select id, account_id, uri, url, local, text, content_type, content, spoiler_text, sensitive, language,
        visibility, in_reply_to_id, in_reply_to_account_id, is_reply, conversation_id, application_id, media_ids,
        cardinality(media_ids) > 0, poll_id, quote_policy, created_at, edited_at
      from given
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
      insert into status_stats (status_id, replies_count)
      select parent_id, count(*) from given
      where parent_id is not null and id in (select id from status)
      group by parent_id order by parent_id
      on conflict (status_id) do update set
        replies_count = status_stats.replies_count + excluded.replies_count, version = status_stats.version + 1
      returning ${counterColumns}
    )
    select status.id, ${counterColumns}
    from status join given using (id) left join parent on parent.status_id = given.parent_id`.execute(db);
}
