import type { Transaction } from '../platform/write/transaction.ts';
import { HttpError, notFound } from '../platform/http/http-errors.ts';
import { message } from '../platform/i18n/message.ts';
import type { AccountId } from '../platform/ids.ts';
import type { DraftId } from './tables.ts';

/**
 * Locks a draft until the transaction ends. Throws 404 if it does not exist or does not belong to the account, 409 with its
 * version if that is not `version`. Undefined accepts every version.
 */
export async function lockDraft(
  { db }: Transaction,
  accountId: AccountId,
  { id, version }: { readonly id: DraftId; readonly version: number | undefined },
): Promise<void> {
  const row = await db
    .selectFrom('drafts')
    .select('version')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound());
  if (version === undefined || row.version === version) return;
  throw new HttpError(409, message('drafts.changed'), { version: row.version });
}
