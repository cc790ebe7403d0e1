import type { App } from '../../platform/app.ts';
import { transaction as inTransaction } from '../../platform/database/transaction.ts';
import { parseDomain } from './parse-domain.ts';
import { domainUnblocked } from '../events.ts';
import { staffAccountId, type Staff } from '../staff.ts';

/**
 * Removes the block of a domain; a job undoes its effects on accounts. Returns false if the domain was not blocked.
 */
export async function unblockDomain(app: App, staff: Staff, text: string): Promise<boolean> {
  const domain = parseDomain(app, text);
  return inTransaction(app, async (tx) => {
    const { numDeletedRows } = await tx.db
      .deleteFrom('domain_blocks')
      .where('domain', '=', domain)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) return false;
    tx.emit(domainUnblocked({ domain, staffId: staffAccountId(staff) }));
    return true;
  });
}
