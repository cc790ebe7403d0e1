import { recordMatches, type Verdict } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { htmlToText } from '../../text/index.ts';
import type { NewStatus } from '../post/insert-status.ts';

/** A status as it was composed, before rules marked it as sensitive. */
type StoredPost = Pick<NewStatus, 'id' | 'accountId' | 'spoilerText' | 'content'>;

/** Stores what rules do to a status that is stored in this transaction. */
export function recordStoredMatches(
  tx: Transaction,
  app: App,
  verdict: Verdict,
  { id, accountId, spoilerText, content }: StoredPost,
): Promise<void> {
  return recordMatches(tx, app, verdict, {
    type: 'status',
    id,
    statusId: id,
    accountId,
    text: `${spoilerText}\n${htmlToText(content)}`,
    effects: verdict.marksSensitive === true ? { sensitive: true } : {},
  });
}
