import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { Staff } from '../staff.ts';
import { recordStaffAction } from '../audit/record-staff-action.ts';
import { recordStaffUpdate } from '../audit/record-staff-update.ts';
import { writable } from '../tables.ts';
import { lockRule, type RuleRow } from './lock-rule.ts';
import { emitRulesChanged, parseRule } from './parse-rule.ts';

export interface RuleInput {
  readonly text: string;
  /** Further explanation; empty for none. */
  readonly hint?: string | undefined;
  /** Rules are listed by position, then by age. Default: that of the last rule. */
  readonly position?: number | undefined;
}

/** Adds a rule and returns its id. Throws 422 if the text is blank or too long. */
export async function addRule(app: App, staff: Staff, rule: RuleInput): Promise<string> {
  const values = parseRule(rule);
  return transaction(app, async (tx) => {
    const row = await writable(tx.db)
      .insertInto('rules')
      .values({ text: rule.text, position: lastPosition, ...values })
      .returningAll()
      .executeTakeFirstOrThrow();
    emitRulesChanged(tx, staff);
    const { id, text } = row;
    recordStaffAction(tx, staff, { target: 'rule', verb: 'create', id, label: text, after: ruleDetails(row) });
    return id;
  });
}

/** Changes a rule. Omitted fields keep their value. Throws 404 if there is none, 422 if the text is blank or too long. */
export async function editRule(app: App, staff: Staff, id: string, changes: Partial<RuleInput>): Promise<void> {
  const values = parseRule(changes);
  await transaction(app, async (tx) => {
    const before = await lockRule(tx, id);
    // An update needs at least one column.
    await writable(tx.db)
      .updateTable('rules')
      .set({ deleted_at: null, ...values })
      .where('id', '=', id)
      .execute();
    emitRulesChanged(tx, staff);
    recordStaffUpdate(tx, staff, {
      target: 'rule',
      verb: 'update',
      id,
      label: before.text,
      before: ruleDetails(before),
      after: ruleDetails({ ...before, ...values }),
    });
  });
}

/** Deletes a rule. Its row stays for reports that refer to it. Throws 404 if there is none. */
export async function deleteRule(app: App, staff: Staff, id: string): Promise<void> {
  await transaction(app, async (tx) => {
    const rule = await lockRule(tx, id);
    await writable(tx.db).updateTable('rules').set({ deleted_at: app.clock.now() }).where('id', '=', id).execute();
    emitRulesChanged(tx, staff);
    recordStaffAction(tx, staff, { target: 'rule', verb: 'delete', id, label: rule.text, before: ruleDetails(rule) });
  });
}

const lastPosition = sql<number>`(select coalesce(max(position), 0) from rules where deleted_at is null)`;

const ruleDetails = ({ text, hint, position }: RuleRow) => ({ text, hint, position });
