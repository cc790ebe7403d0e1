import type { App } from '../../platform/app.ts';
import { transaction as inTransaction } from '../../platform/database/transaction.ts';
import { newId } from '../../platform/ids.ts';
import { parseDomain } from './parse-domain.ts';
import { domainAllowed } from '../events.ts';
import { staffAccountId, type Staff } from '../staff.ts';
import type { DomainAllowRow } from '../tables.ts';

/** Allows a domain to federate in limited federation mode. Returns the record, also if it existed before. */
export async function allowDomain(app: App, staff: Staff, text: string): Promise<DomainAllowRow> {
  const domain = parseDomain(app, text);
  return inTransaction(app, async (tx) => {
    const now = app.clock.now();
    const { numInsertedOrUpdatedRows } = await tx.db
      .insertInto('domain_allows')
      .values({ id: newId<'row'>(now), domain, created_at: now })
      .onConflict((conflict) => conflict.column('domain').doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows !== 0n) {
      tx.emit(domainAllowed({ domain, staffId: staffAccountId(staff) }));
    }
    return tx.db.selectFrom('domain_allows').selectAll().where('domain', '=', domain).executeTakeFirstOrThrow();
  });
}
