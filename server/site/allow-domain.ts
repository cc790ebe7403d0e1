import type { App } from '../platform/app.ts';
import { write as inTransaction } from '../platform/database/write.ts';
import { newId } from '../platform/ids.ts';
import { parseDomain } from './domain-name.ts';
import { domainAllowed } from './events.ts';
import { staffAccountId, type Staff } from './staff.ts';
import type { DomainAllowRow } from './tables.ts';

/** Allows a domain to federate in limited federation mode. Returns the record, also if it existed before. */
export async function allowDomain(app: App, staff: Staff, text: string): Promise<DomainAllowRow> {
  const domain = parseDomain(app, text);
  return inTransaction(app, async (write) => {
    const now = app.clock.now();
    const { numInsertedOrUpdatedRows } = await write.db
      .insertInto('domain_allows')
      .values({ id: newId<'row'>(now), domain, created_at: now })
      .onConflict((conflict) => conflict.column('domain').doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows !== 0n) {
      write.emit(domainAllowed({ domain, staffId: staffAccountId(staff) }));
    }
    return write.db.selectFrom('domain_allows').selectAll().where('domain', '=', domain).executeTakeFirstOrThrow();
  });
}
