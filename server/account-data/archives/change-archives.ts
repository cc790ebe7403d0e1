import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { conflict, HttpError, notFound } from '../../platform/http/http-errors.ts';
import { formatDay } from '../../platform/i18n/format-day.ts';
import { Message, message } from '../../platform/i18n/message.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';
import { enqueueBuild } from './build-archive.ts';
import { deleteArchiveFiles } from './delete-archive-files.ts';
import { nextRequestAfter, type ArchiveRow } from './find-archives.ts';
import type { ArchiveId } from './schema.ts';

/**
 * Requests an archive, which a job builds. Throws 429 with the time of the next request within 7 days of the last one
 * that did not fail, and 409 while one is built.
 */
export function requestArchive(app: App, accountId: AccountId): Promise<ArchiveRow> {
  const now = app.clock.now();
  return transaction(app, async (tx) => {
    const { db } = tx;
    await sql`select pg_advisory_xact_lock(hashtextextended(${`archives ${accountId}`}, 0))`.execute(db);
    const last = await db
      .selectFrom('archives')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('state', '<>', 'failed')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (last?.state === 'waiting' || last?.state === 'building') throw conflict('archives.running');
    const next = last && nextRequestAfter(last);
    if (next !== undefined && next > now) throw tooSoon(next, now);
    const id = newId<'archive'>(now);
    const name = randomBytes(16).toString('hex');
    const key = `archives/${name.slice(0, 2)}/${name}.tgz`;
    const created = await writable(db)
      .insertInto('archives')
      .values({
        id,
        account_id: accountId,
        state: 'waiting',
        size: null,
        storage_key: key,
        problem: null,
        requested_at: now,
        finished_at: null,
        expires_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    enqueueBuild(tx, app, { archiveId: id, key });
    return created;
  });
}

function tooSoon(next: Date, now: Date): HttpError {
  const time = next.toISOString();
  const seconds = Math.ceil((next.getTime() - now.getTime()) / 1000);
  return new HttpError(
    429,
    message('archives.tooSoon', { date: new Message((locale) => formatDay({ locale }, next)) }),
    { next_request_at: time },
    { 'retry-after': String(seconds) },
  );
}

/**
 * Deletes the file of an archive, or stops it. The row stays, because it limits the next request, unless it failed. Throws
 * 404 unless it belongs to the account.
 */
export async function deleteArchive(app: App, accountId: AccountId, id: ArchiveId): Promise<void> {
  await transaction(app, async ({ db, enqueue }) => {
    const found = await db
      .selectFrom('archives')
      .select(['state', 'storage_key'])
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .forUpdate()
      .executeTakeFirstOrThrow(() => notFound());
    if (found.state === 'failed') {
      await writable(db).deleteFrom('archives').where('id', '=', id).execute();
      return;
    }
    await writable(db)
      .updateTable('archives')
      .set({ state: 'deleted', storage_key: null, size: null, expires_at: null })
      .where('id', '=', id)
      .execute();
    if (found.storage_key !== null) enqueue(deleteArchiveFiles({ keys: [found.storage_key] }));
  });
}
