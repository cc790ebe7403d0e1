import type { App } from '../platform/app.ts';
import { write as inTransaction } from '../platform/database/write.ts';
import { parseDomain } from './domain-name.ts';
import { domainDisallowed } from './events.ts';
import { staffAccountId, type Staff } from './staff.ts';

/** No longer allows a domain to federate in limited federation mode. Returns false if it was not allowed. */
export async function disallowDomain(app: App, staff: Staff, text: string): Promise<boolean> {
  const domain = parseDomain(app, text);
  return inTransaction(app, async (write) => {
    const { numDeletedRows } = await write.db
      .deleteFrom('domain_allows')
      .where('domain', '=', domain)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) return false;
    write.emit(domainDisallowed({ domain, staffId: staffAccountId(staff) }));
    return true;
  });
}
