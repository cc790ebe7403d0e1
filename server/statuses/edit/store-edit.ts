import { sql, type Selectable } from 'kysely';
import { tagCollections, untagCollections } from '../../collections/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId, type MediaId, type PollId, type StatusId, type TagId } from '../../platform/ids.ts';
import type { ContentType } from '../../text/format/index.ts';
import { mentionsAdded, statusChanged, statusEdited } from '../events.ts';
import { storedContentType } from '../post/content-type.ts';
import { writable, type StatusTables } from '../tables.ts';

export type StoredStatus = Selectable<StatusTables['statuses']>;

/** A version of a status. */
export interface StatusVersion {
  readonly text: string;
  readonly contentType: ContentType;
  readonly content: string;
  readonly spoilerText: string;
  readonly sensitive: boolean;
  readonly language: string | null;
  readonly mediaIds: readonly MediaId[];
  readonly pollId: PollId | null;
  readonly mentions: readonly { readonly accountId: AccountId; readonly silent: boolean }[];
  readonly tagIds: readonly TagId[];
  /** ActivityPub ids of collections that it names in addition to the links in its content. */
  readonly collectionUris?: readonly string[] | undefined;
  readonly editedAt: Date;
}

/** Rolls back the transaction of an edit that changes nothing. */
export class UnchangedError extends Error {
  override name = 'UnchangedError';
}

/** Returns and locks a status that is no reblog and not deleted. */
export function lockStatus({ db }: Transaction, id: StatusId): Promise<StoredStatus | undefined> {
  return db
    .selectFrom('statuses')
    .selectAll()
    .where('id', '=', id)
    .where('reblog_of_id', 'is', null)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** Stores the original version of a status before its first edit. Call it before any change. */
export async function storeFirstVersion({ db }: Transaction, app: App, id: StatusId): Promise<void> {
  await sql`${insertVersionQuery(app, id)} and not exists (select 1 from status_edits where status_id = ${id})`.execute(
    db,
  );
}

/**
 * Applies an edit to a locked status and adds the version to its history. Accounts that are no longer mentioned may still
 * see the status.
 */
export async function storeEdit(
  tx: Transaction,
  app: App,
  status: StoredStatus,
  version: StatusVersion,
): Promise<void> {
  const { id: statusId, account_id: accountId, local } = status;
  await writable(tx.db)
    .updateTable('statuses')
    .set({
      text: version.text,
      content_type: storedContentType(version.contentType),
      content: version.content,
      spoiler_text: version.spoilerText,
      sensitive: version.sensitive,
      language: version.language,
      media_ids: [...version.mediaIds],
      has_media: version.mediaIds.length > 0,
      poll_id: version.pollId,
      edited_at: version.editedAt,
    })
    .where('id', '=', statusId)
    .execute();
  const mentionedIds = await replaceMentions(tx, app, statusId, version.mentions);
  await replaceTags(tx, statusId, version.tagIds);
  await untagCollections(tx, statusId);
  await tagCollections(tx, [{ statusId, html: version.content, uris: version.collectionUris }]);
  await storeVersion(tx, app, statusId);
  tx.emit(statusChanged({ statusId }));
  tx.emit(statusEdited({ statusId, accountId, local }));
  if (mentionedIds.length > 0) tx.emit(mentionsAdded({ statusId, accountId, mentionedIds }));
}

/** Adds the current version of a status to its history. */
export async function storeVersion({ db }: Transaction, app: App, id: StatusId): Promise<void> {
  await insertVersionQuery(app, id).execute(db);
}

const insertVersionQuery = (app: App, id: StatusId) => sql`
  insert into status_edits (id, status_id, text, content_type, content, spoiler_text, sensitive, media_ids, media_descriptions,
    poll_options, quote_id, created_at)
  select ${newId<'row'>(app.clock.now())}::bigint, s.id, s.text, s.content_type, s.content, s.spoiler_text, s.sensitive, s.media_ids,
    array(
      select coalesce(m.description, '') from unnest(s.media_ids) with ordinality as file(id, place)
      left join media_attachments m on m.id = file.id order by file.place),
    (select p.options from polls p where p.id = s.poll_id), (select q.id from quotes q where q.status_id = s.id),
    coalesce(s.edited_at, s.created_at)
  from statuses s where s.id = ${id}`;

/** Replaces the mentions. Returns the accounts that are mentioned for the first time. */
async function replaceMentions(
  { db }: Transaction,
  app: App,
  statusId: StatusId,
  mentions: StatusVersion['mentions'],
): Promise<AccountId[]> {
  const ids = mentions.map(({ accountId }) => accountId);
  await sql`update mentions set silent = true
    where status_id = ${statusId} and not silent and account_id <> all(${ids}::bigint[])`.execute(db);
  if (ids.length === 0) return [];
  const now = app.clock.now();
  const { rows } = await sql<{ account_id: AccountId; is_new: boolean; silent: boolean }>`
    insert into mentions (id, status_id, account_id, silent)
    select mention.id, ${statusId}, mention.account_id, mention.silent
    from unnest(${ids.map(() => newId<'row'>(now))}::bigint[], ${ids}::bigint[],
      ${mentions.map(({ silent }) => silent)}::boolean[]) as mention(id, account_id, silent)
    on conflict (status_id, account_id) do update set silent = excluded.silent
    returning account_id, xmax = 0 as is_new, silent`.execute(db);
  return rows.filter((row) => row.is_new && !row.silent).map(({ account_id }) => account_id);
}

async function replaceTags({ db }: Transaction, statusId: StatusId, tagIds: readonly TagId[]): Promise<void> {
  await sql`delete from status_tags where status_id = ${statusId} and tag_id <> all(${tagIds}::bigint[])`.execute(db);
  await sql`insert into status_tags (tag_id, status_id)
    select tag.id, ${statusId} from unnest(${tagIds}::bigint[]) as tag(id) on conflict do nothing`.execute(db);
}
