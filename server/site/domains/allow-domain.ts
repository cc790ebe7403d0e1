import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { newId } from '../../platform/ids.ts';
import { recordStaffAction } from '../audit/record-staff-action.ts';
import { domainAllowed } from '../events.ts';
import { staffAccountId, type Staff } from '../staff.ts';
import { writable, type DomainAllowRow } from '../tables.ts';
import { parseDomain } from './parse-domain.ts';

/** Allows a domain to federate in limited federation mode. Returns the record, also if it existed before. */
export function allowDomain(app: App, staff: Staff, text: string): Promise<DomainAllowRow> {
  const domain = parseDomain(app, text);
  return transaction(app, async (tx) => {
    await insertAllow(tx, app, staff, domain);
    return tx.db.selectFrom('domain_allows').selectAll().where('domain', '=', domain).executeTakeFirstOrThrow();
  });
}

/** Allows a domain unless it is allowed already. */
export async function insertAllow(tx: Transaction, app: App, staff: Staff, domain: string): Promise<void> {
  const now = app.clock.now();
  const created = await writable(tx.db)
    .insertInto('domain_allows')
    .values({ id: newId<'row'>(now), domain, created_at: now })
    .onConflict((conflict) => conflict.column('domain').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (created === undefined) return;
  tx.emit(domainAllowed({ domain, staffId: staffAccountId(staff) }));
  recordStaffAction(tx, staff, { target: 'domain_allow', verb: 'create', id: created.id, label: domain, after: {} });
}
