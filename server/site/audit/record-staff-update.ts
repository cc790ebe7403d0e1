import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { Staff } from '../staff.ts';
import { recordStaffAction, type AuditDetails, type StaffAction } from './record-staff-action.ts';

/** Two states of a target, with the same properties. */
interface StaffUpdate extends Omit<StaffAction, 'before' | 'after'> {
  readonly before: AuditDetails;
  readonly after: AuditDetails;
}

/** Records the properties that differ between two states of a target. No-op if none does. */
export function recordStaffUpdate(
  tx: Pick<Transaction, 'emit'>,
  staff: Staff,
  { before, after, ...action }: StaffUpdate,
): void {
  const changed = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  if (changed.length === 0) return;
  const pick = (details: AuditDetails): AuditDetails =>
    Object.fromEntries(changed.map((name) => [name, details[name]]));
  recordStaffAction(tx, staff, { ...action, before: pick(before), after: pick(after) });
}
