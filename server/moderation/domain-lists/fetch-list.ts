import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import type { Schedule } from '../../platform/work/run-schedules.ts';
import { OutgoingError } from '../../platform/outgoing/outgoing.ts';
import type { BlockColumns } from '../../site/domains/index.ts';
import { parseBlockList, type ParsedList } from '../servers/parse-list.ts';
import { writable, type DomainListId } from '../tables.ts';
import { applyList } from './apply-list.ts';
import type { ListRow } from './find-lists.ts';

const maxBytes = 1024 * 1024;
const hourMs = 3_600_000;
const intervalMs = 24 * hourMs;
/** Of its entries that a list may lose at once and still be applied without staff. */
const maxLostShare = 0.5;

/** Fetches a list, stores it as a draft, and applies it if the list is automatic. */
export const fetchList = defineJob(
  'moderation.fetch_domain_list',
  Type.Object({ listId: idSchema<'domain-list'>() }),
  async (app, { listId }) => {
    const list = await app.db.selectFrom('domain_lists').selectAll().where('id', '=', listId).executeTakeFirst();
    if (list === undefined) return;
    const fetched = await fetchEntries(app, list.url);
    if (typeof fetched === 'string') return recordFailure(app, list, fetched);
    const isShrunk = await storeDraft(app, list, fetched);
    if (list.automatic && !isShrunk) await applyList(app, 'system', listId);
  },
  'remote',
);

/** Enqueues a fetch; those of one list run one after the other. */
export const enqueueFetch = (tx: Transaction, { id, url }: Pick<ListRow, 'id' | 'url'>): void =>
  tx.enqueue(fetchList({ listId: id }, { key: `domain list ${id}`, host: new URL(url).host }));

/** Fetches the lists that are due. */
export const fetchDueLists: Schedule = {
  name: 'moderation.fetch_domain_lists',
  pattern: '23 * * * *',
  async run(app) {
    const now = app.clock.now();
    await transaction(app, async (tx) => {
      const due = await writable(tx.db)
        .updateTable('domain_lists')
        .set({ next_fetch_at: new Date(now.getTime() + intervalMs) })
        .where('next_fetch_at', '<=', now)
        .returning(['id', 'url'])
        .execute();
      for (const list of due) enqueueFetch(tx, list);
    });
  },
};

/** Returns the entries of a list, or why it cannot be read. */
async function fetchEntries(app: App, url: string): Promise<ParsedList<BlockColumns> | string> {
  try {
    const { status, body } = await app.outgoing.request(url, {
      headers: { accept: 'text/csv, text/plain;q=0.9' },
      maxBytes,
    });
    if (status !== 200) return `The server answers ${status}`;
    const list = await parseBlockList(app, body.toString('utf8'));
    return list.entries.size === 0 && list.rejected.length > 0 ? 'The file has no domains' : list;
  } catch (error) {
    if (error instanceof OutgoingError || error instanceof HttpError) return error.message;
    throw error;
  }
}

async function recordFailure(app: App, { id, failures }: ListRow, text: string): Promise<void> {
  const retryMs = Math.min(hourMs * 2 ** failures, intervalMs);
  await transaction(app, ({ db }) =>
    writable(db)
      .updateTable('domain_lists')
      .set({
        failures: failures + 1,
        last_error: text.slice(0, 500),
        next_fetch_at: new Date(app.clock.now().getTime() + retryMs),
      })
      .where('id', '=', id)
      .execute(),
  );
}

/** Replaces the entries of a list. Returns whether the list lost so many that staff must look at it. */
function storeDraft(app: App, { id }: ListRow, { entries, rejected }: ParsedList<BlockColumns>): Promise<boolean> {
  const now = app.clock.now();
  return transaction(app, async ({ db }) => {
    const before = await countListed(db, id);
    await writable(db).updateTable('domain_list_entries').set({ listed: false }).where('list_id', '=', id).execute();
    await insertEntries(db, id, entries);
    // Entries that left the list and were never applied are not needed any more.
    await writable(db)
      .deleteFrom('domain_list_entries')
      .where('list_id', '=', id)
      .where('listed', '=', false)
      .where('excepted', '=', false)
      .where('block_id', 'is', null)
      .execute();
    const isShrunk = entries.size < before * (1 - maxLostShare);
    await writable(db)
      .updateTable('domain_lists')
      .set({
        fetched_at: now,
        next_fetch_at: new Date(now.getTime() + intervalMs),
        failures: 0,
        last_error: isShrunk
          ? `The list has only ${entries.size} of ${before} entries: apply it by hand`
          : describeRejected(rejected),
      })
      .where('id', '=', id)
      .execute();
    return isShrunk;
  });
}

/** Returns what became of the lines that are no block; null if there are none. */
function describeRejected([first, ...others]: ParsedList<unknown>['rejected']): string | null {
  if (first === undefined) return null;
  const text = `Line ${first.line} was skipped: ${first.error}`;
  return others.length === 0 ? text : `${text}. ${others.length} more lines were skipped`;
}

async function countListed(db: Transaction['db'], id: DomainListId): Promise<number> {
  const { count } = await db
    .selectFrom('domain_list_entries')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('list_id', '=', id)
    .where('listed', '=', true)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function insertEntries(
  db: Transaction['db'],
  id: DomainListId,
  entries: ReadonlyMap<string, BlockColumns>,
): Promise<void> {
  const rows = [...entries];
  await sql`
    insert into domain_list_entries
      (list_id, domain, severity, reject_media, reject_reports, obfuscate, public_comment, listed)
    select ${id}::bigint, entry.*, true
    from unnest(
      ${rows.map(([domain]) => domain)}::text[], ${rows.map(([, { severity }]) => severity)}::text[],
      ${rows.map(([, entry]) => entry.reject_media)}::boolean[],
      ${rows.map(([, entry]) => entry.reject_reports)}::boolean[],
      ${rows.map(([, entry]) => entry.obfuscate)}::boolean[],
      ${rows.map(([, entry]) => entry.public_comment)}::text[]
    ) as entry
    on conflict (list_id, domain) do update set severity = excluded.severity, reject_media = excluded.reject_media,
      reject_reports = excluded.reject_reports, obfuscate = excluded.obfuscate,
      public_comment = excluded.public_comment, listed = true`.execute(db);
}
