import type { App } from '../../platform/app.ts';
import { transaction as inTransaction, type Transaction } from '../../platform/database/transaction.ts';
import { validationFailed, notFound } from '../../platform/http/http-errors.ts';
import { cleanText } from '../../text/index.ts';
import { siteSettingsChanged } from '../events.ts';
import { staffAccountId, type Staff } from '../staff.ts';

export interface RuleInput {
  readonly text: string;
  /** Further explanation; empty for none. */
  readonly hint?: string | undefined;
  /** Rules are listed by position, then by age. */
  readonly position?: number | undefined;
}

/** Characters (reference/limits.tsv: rule text). */
const maxTextLength = 300;
const maxHintLength = 5_000;

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

function parseRule({ text, hint, position }: Partial<RuleInput>) {
  const values = {
    ...(text !== undefined && { text: cleanText(text).trim() }),
    ...(hint !== undefined && { hint: cleanText(hint).trim() }),
    ...(position !== undefined && { position }),
  };
  if (values.text === '') throw validationFailed("Text can't be blank");
  if ((values.text?.length ?? 0) > maxTextLength)
    throw validationFailed(`Text is too long (maximum is ${maxTextLength} characters)`);
  if ((values.hint?.length ?? 0) > maxHintLength)
    throw validationFailed(`Hint is too long (maximum is ${maxHintLength} characters)`);
  return values;
}

/** Returns the id if it can be one of the database. Throws 404 otherwise. */
function parseRuleId(id: string): string {
  if (!/^\d{1,18}$/.test(id)) throw notFound();
  return id;
}

function emitRulesChanged({ emit }: Transaction, staff: Staff): void {
  emit(siteSettingsChanged({ names: ['rules'], staffId: staffAccountId(staff) }));
}
