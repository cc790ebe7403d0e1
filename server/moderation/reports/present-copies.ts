import { sql, type Selectable } from 'kysely';
import type { Account } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { asciiJson, JsonText } from '../../platform/http/http-response.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { ReportId, ReportTables } from '../../reports/index.ts';
import type { Status } from '../../statuses/index.ts';
import { plainVisibility } from '../../statuses/visibility/index.ts';
import type { ReportedStatus } from './schema.ts';

export type CopyRow = Selectable<ReportTables['reported_statuses']>;

/** Loads the copies of the posts of reports. */
export async function loadCopies({ db }: App, reportIds: readonly ReportId[]): Promise<CopyRow[]> {
  return db
    .selectFrom('reported_statuses')
    .selectAll()
    .where('report_id', '=', sql<ReportId>`any(${reportIds}::bigint[])`)
    .orderBy('report_id')
    .orderBy('status_id')
    .execute();
}

/** Renders a deleted post from its copy. Attachments, polls and counters are gone. */
export function renderCopy(copy: CopyRow, account: JsonText<Account>): JsonText<Status> {
  const members: Omit<Status, 'account'> = {
    id: copy.status_id,
    uri: copy.uri,
    url: copy.url,
    created_at: copy.created_at.toISOString(),
    edited_at: copy.edited_at?.toISOString() ?? null,
    content: copy.content,
    visibility: plainVisibility(copy.visibility),
    sensitive: copy.sensitive,
    spoiler_text: copy.spoiler_text,
    media_attachments: [],
    mentions: [],
    tags: [],
    emojis: [],
    reblogs_count: 0,
    favourites_count: 0,
    quotes_count: 0,
    replies_count: 0,
    in_reply_to_id: null,
    in_reply_to_account_id: null,
    poll: null,
    card: null,
    quote: null,
    quote_approval: { automatic: [], manual: [], current_user: 'denied' },
    tagged_collections: [],
    reactions: [],
    language: null,
    reblog: null,
  };
  return new JsonText([asciiJson(members).slice(0, -1), ',"account":', ...account.fragments, '}']);
}

/** Returns the posts of a report as they were when they were reported. Throws 404 if there is no such report. */
export async function listReportedStatuses(app: App, id: ReportId): Promise<ReportedStatus[]> {
  const [report, copies] = await Promise.all([
    app.db.selectFrom('reports').select('id').where('id', '=', id).executeTakeFirst(),
    loadCopies(app, [id]),
  ]);
  if (report === undefined) throw notFound();
  const ids = copies.map(({ status_id: statusId }) => statusId);
  const { rows } = await sql<{ id: string }>`
    select id from statuses where id = any(${ids}::bigint[]) and deleted_at is null`.execute(app.db);
  const existing = new Set(rows.map((row) => row.id));
  return copies.map(({ status_id, report_id: _reportId, ...copy }) => ({
    ...copy,
    id: status_id,
    visibility: plainVisibility(copy.visibility),
    created_at: copy.created_at.toISOString(),
    edited_at: copy.edited_at?.toISOString() ?? null,
    deleted: !existing.has(status_id),
  }));
}
