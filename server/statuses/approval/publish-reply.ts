import { sql } from 'kysely';
import { adjustAccountStats } from '../../accounts/index.ts';
import type { RequestRow } from '../../interactions/requests/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId, type StatusId, type TagId } from '../../platform/ids.ts';
import { publishTags } from '../../tags/index.ts';
import { mentionsUnresolved, statusChanged, statusCountersChanged, statusCreated, statusTagged } from '../events.ts';
import { buildCounters, counterColumns, type CounterRow } from '../read/status-counters.ts';
import { hasLink } from '../post/created-event.ts';
import type { Visibility } from '../tables.ts';
import { isLocalOnly, isPublicOrUnlisted, plainVisibility } from '../visibility/visibility.ts';
import { isCountedReplySql } from '../visibility/visibility-sql.ts';

interface PublishedReply {
  readonly id: StatusId;
  readonly account_id: AccountId;
  readonly local: boolean;
  readonly content: string;
  readonly language: string | null;
  readonly tag_ids: TagId[];
}

/**
 * Sets the visibility and the mentions of a reply that waited, and emits the events of a new status. No-op if it was deleted.
 */
export async function publishReply(tx: Transaction, app: App, request: RequestRow): Promise<void> {
  const { reply_id: id, visibility } = request;
  if (id === null || visibility === null || visibility === 'direct') return;
  const { rows } = await sql<PublishedReply>`
    update statuses set visibility = ${visibility}
    where id = ${id} and deleted_at is null and visibility = 'direct'
    returning id, account_id, local, content, language,
      array(select st.tag_id from status_tags st where st.status_id = statuses.id) as tag_ids`.execute(tx.db);
  const [reply] = rows;
  if (reply === undefined) return;
  await insertWithheldMentions(tx, app, request);
  const { account_id: accountId, local, content, language, tag_ids: tagIds } = reply;
  adjustAccountStats(tx, [{ accountId, statuses: 1 }]);
  await countReply(tx, request.status_id, visibility);
  if (isPublicOrUnlisted(visibility)) await publishTags(tx, tagIds);
  tx.emit(statusChanged({ statusId: id }));
  if (plainVisibility(visibility) === 'public' && tagIds.length > 0)
    tx.emit(statusTagged({ statusId: id, accountId, tagIds, language, localOnly: isLocalOnly(visibility) }));
  tx.emit(
    statusCreated({
      statusId: id,
      accountId,
      local,
      direct: false,
      public: plainVisibility(visibility) === 'public',
      localOnly: isLocalOnly(visibility),
      reply: true,
      mentions: true,
      tags: tagIds.length > 0,
      link: hasLink(app, content),
    }),
  );
  const { unresolved_handles: handles } = request;
  if (handles.length > 0) tx.emit(mentionsUnresolved({ statusId: id, accountId, handles }));
}

async function insertWithheldMentions({ db }: Transaction, app: App, request: RequestRow): Promise<void> {
  const { mentioned_ids: named, silent_ids: silent } = request;
  const ids = [...named, ...silent];
  if (ids.length === 0) return;
  const now = app.clock.now();
  await sql`
    insert into mentions (id, status_id, account_id, silent)
    select mention.id, ${request.reply_id}::bigint, mention.account_id, mention.account_id = any(${silent}::bigint[])
    from unnest(${ids.map(() => newId<'row'>(now))}::bigint[], ${ids}::bigint[]) as mention(id, account_id)
      join accounts on accounts.id = mention.account_id
    on conflict do nothing`.execute(db);
}

async function countReply(tx: Transaction, parentId: StatusId, visibility: Visibility): Promise<void> {
  const isCounted = isCountedReplySql(sql`${visibility}::text`, sql`${parentId}::bigint`);
  const { rows } = await sql<CounterRow>`
    insert into status_stats (status_id, replies_count)
    select ${parentId}::bigint, 1 where ${isCounted}
    on conflict (status_id) do update set
      replies_count = status_stats.replies_count + 1, version = status_stats.version + 1
    returning ${counterColumns}`.execute(tx.db);
  for (const counters of rows.map(buildCounters)) tx.emit(statusCountersChanged(counters));
}
