import type { App } from '../../platform/app.ts';
import { transaction as inTransaction } from '../../platform/database/transaction.ts';
import { parseDomain } from './parse-domain.ts';
import { domainDisallowed } from '../events.ts';
import { staffAccountId, type Staff } from '../staff.ts';

/** Removes a domain from those that may federate in limited federation mode. Returns false if it was not allowed. */
export async function disallowDomain(app: App, staff: Staff, text: string): Promise<boolean> {
  const domain = parseDomain(app, text);
  return inTransaction(app, async (tx) => {
    const { numDeletedRows } = await tx.db
      .deleteFrom('domain_allows')
      .where('domain', '=', domain)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) return false;
    tx.emit(domainDisallowed({ domain, staffId: staffAccountId(staff) }));
    return true;
  });
}
