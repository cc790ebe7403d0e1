import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { RowId } from '../../platform/ids.ts';
import { recordStaffAction } from '../audit/record-staff-action.ts';
import { domainDisallowed } from '../events.ts';
import { staffAccountId, type Staff } from '../staff.ts';
import { writable, type DomainAllowRow } from '../tables.ts';
import { parseDomain } from './parse-domain.ts';

/** Removes a domain from those that may federate in limited federation mode. Returns false if it was not allowed. */
export async function disallowDomain(app: App, staff: Staff, text: string): Promise<boolean> {
  const domain = parseDomain(app, text);
  return transaction(app, async (tx) => {
    const deleted = await writable(tx.db)
      .deleteFrom('domain_allows')
      .where('domain', '=', domain)
      .returningAll()
      .executeTakeFirst();
    if (deleted !== undefined) recordDisallowed(tx, staff, deleted);
    return deleted !== undefined;
  });
}

/** As `disallowDomain`, by id. Throws 404 if there is none. */
export function removeAllow(app: App, staff: Staff, id: RowId): Promise<void> {
  return transaction(app, async (tx) => {
    const deleted = await writable(tx.db)
      .deleteFrom('domain_allows')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(() => notFound());
    recordDisallowed(tx, staff, deleted);
  });
}

function recordDisallowed(tx: Transaction, staff: Staff, { id, domain }: DomainAllowRow): void {
  tx.emit(domainDisallowed({ domain, staffId: staffAccountId(staff) }));
  recordStaffAction(tx, staff, { target: 'domain_allow', verb: 'delete', id, label: domain, before: {} });
}
