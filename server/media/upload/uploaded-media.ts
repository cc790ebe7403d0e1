import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId, MediaId } from '../../platform/ids.ts';
import type { MediaRow } from '../tables.ts';

/** Loads a file of `accountId` that no status uses or has reserved. Throws 404 for any other. */
export async function requireUnattachedMedia(app: App, accountId: AccountId, id: MediaId): Promise<MediaRow> {
  const row = await selectUploadedMedia(app, accountId, id).executeTakeFirst();
  if (row === undefined || isAttachedOrScheduled(row)) throw notFound();
  return row;
}

/** The same, locked until the transaction ends so that it cannot be posted or changed concurrently. */
export async function lockUploadedMedia({ db }: Transaction, accountId: AccountId, id: MediaId): Promise<MediaRow> {
  return selectUploadedMedia({ db }, accountId, id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound());
}

/** Returns whether a status uses a file, even a scheduled one. */
export const isAttachedOrScheduled = ({ status_id, scheduled_id }: MediaRow): boolean =>
  status_id !== null || scheduled_id !== null;

function selectUploadedMedia({ db }: Pick<App, 'db'>, accountId: AccountId, id: MediaId) {
  return db
    .selectFrom('media_attachments')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('remote_url', 'is', null);
}
