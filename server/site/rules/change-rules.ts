import type { App } from '../../platform/app.ts';
import { transaction as inTransaction } from '../../platform/database/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Staff } from '../staff.ts';
import { emitRulesChanged, parseRule, parseRuleId } from './parse-rule.ts';

export interface RuleInput {
  readonly text: string;
  /** Further explanation; empty for none. */
  readonly hint?: string | undefined;
  /** Rules are listed by position, then by age. */
  readonly position?: number | undefined;
}

/** Adds a rule and returns its id. Throws 422 if the text is blank or too long. */
export async function addRule(app: App, staff: Staff, rule: RuleInput): Promise<string> {
  const values = parseRule(rule);
  return inTransaction(app, async (tx) => {
    const { id } = await tx.db
      .insertInto('rules')
      .values({ text: rule.text, ...values })
      .returning('id')
      .executeTakeFirstOrThrow();
    emitRulesChanged(tx, staff);
    return id;
  });
}

/** Changes a rule. Omitted fields keep their value. Throws 404 if there is none, 422 if the text is blank or too long. */
export async function editRule(app: App, staff: Staff, id: string, changes: Partial<RuleInput>): Promise<void> {
  const values = parseRule(changes);
  await inTransaction(app, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable('rules')
      // An update needs at least one column.
      .set({ deleted_at: null, ...values })
      .where('id', '=', parseRuleId(id))
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw notFound();
    emitRulesChanged(tx, staff);
  });
}

/** Deletes a rule. Its row stays for reports that refer to it. Throws 404 if there is none. */
export async function deleteRule(app: App, staff: Staff, id: string): Promise<void> {
  await inTransaction(app, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable('rules')
      .set({ deleted_at: app.clock.now() })
      .where('id', '=', parseRuleId(id))
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw notFound();
    emitRulesChanged(tx, staff);
  });
}
