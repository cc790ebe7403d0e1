import { queueOutboxRead } from '../../accounts/remote/index.ts';
import type { App } from '../../platform/app.ts';
import type { PageEnds } from '../../platform/database/paged-query.ts';
import type { Page } from '../../platform/http/pages.ts';
import { dateFromId, type AccountId } from '../../platform/ids.ts';

/**
 * Queues a read of the outbox of a remote account when a signed-in viewer sees a page of its statuses: of older posts if
 * the page ends where the last read did. Returns the header by which clients follow it, else none.
 */
export function queueProfileRead(
  app: App,
  accountId: AccountId,
  { minId, sinceId }: Page,
  { last, more }: PageEnds,
): Promise<Record<string, string>> {
  const goesDown = minId === undefined && sinceId === undefined;
  const shownTo = more && last !== undefined ? dateFromId(last) : 'end';
  return queueOutboxRead(app, accountId, goesDown ? shownTo : undefined);
}
