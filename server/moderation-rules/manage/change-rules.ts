import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { notFound, validationFailed } from '../../platform/http/http-errors.ts';
import { newId } from '../../platform/ids.ts';
import { recordStaffAction, recordStaffUpdate } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { moderationRulesChanged } from '../events.ts';
import type { ModerationRule } from '../schema.ts';
import { writable, type ModerationRuleId, type ModerationRuleRow } from '../tables.ts';
import { foldText } from '../../text/index.ts';
import { presentModerationRule } from './find-rules.ts';
import { parseRule, type ModerationRuleInput, type RuleValues } from './parse-rule.ts';

const maxRules = 500;
/** UTF-16 units of all folded keywords together, to which the memory of the automaton is proportional. */
const maxKeywordUnits = 500_000;

/** Adds a rule, which is disabled unless `enabled` is true. Throws 422 if a value is invalid or there are too many. */
export async function createModerationRule(
  app: App,
  staff: Staff,
  input: ModerationRuleInput,
): Promise<ModerationRule> {
  const values = parseRule(input, undefined);
  const now = app.clock.now();
  return transaction(app, async (tx) => {
    const row = await writable(tx.db)
      .insertInto('moderation_rules')
      .values({ id: newId<'moderation-rule'>(now), ...toColumns(values), created_at: now, updated_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    await assertWithinLimits(tx);
    tx.emit(moderationRulesChanged({ ruleId: row.id }));
    recordStaffAction(tx, staff, { ...auditTarget(row), verb: 'create', after: { ...values } });
    return presentModerationRule(row);
  });
}

/**
 * Changes the given properties of a rule. What it did before stays. Throws 404 for an unknown id, 422 as
 * `createModerationRule`.
 */
export function updateModerationRule(
  app: App,
  staff: Staff,
  { id, ...input }: ModerationRuleInput & { readonly id: ModerationRuleId },
): Promise<ModerationRule> {
  return transaction(app, async (tx) => {
    const before = await lockModerationRule(tx, id);
    const values = parseRule(input, before);
    const row = await writable(tx.db)
      .updateTable('moderation_rules')
      .set({ ...toColumns(values), updated_at: app.clock.now() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await assertWithinLimits(tx);
    tx.emit(moderationRulesChanged({ ruleId: id }));
    recordStaffUpdate(tx, staff, {
      ...auditTarget(row),
      verb: 'update',
      before: valuesOf(before),
      after: { ...values },
    });
    return presentModerationRule(row);
  });
}

/** Deletes a rule with the list of what it did, which can then no longer be undone. Throws 404 for an unknown id. */
export function deleteModerationRule(app: App, staff: Staff, id: ModerationRuleId): Promise<void> {
  return transaction(app, async (tx) => {
    const row = await lockModerationRule(tx, id);
    await writable(tx.db).deleteFrom('moderation_rules').where('id', '=', id).execute();
    tx.emit(moderationRulesChanged({ ruleId: id }));
    recordStaffAction(tx, staff, { ...auditTarget(row), verb: 'delete', before: valuesOf(row) });
  });
}

/** Returns and locks a rule. Throws 404 for an unknown id. */
export function lockModerationRule({ db }: Transaction, id: ModerationRuleId): Promise<ModerationRuleRow> {
  return db
    .selectFrom('moderation_rules')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound());
}

/** Throws 422 if there are too many rules, or too many characters in all keywords. */
async function assertWithinLimits({ db }: Transaction): Promise<void> {
  const rows = await db.selectFrom('moderation_rules').select('conditions').execute();
  if (rows.length > maxRules) throw validationFailed('moderationRules.tooMany', { max: maxRules });
  const keywords = rows.flatMap(({ conditions }) => conditions.text?.keywords ?? []);
  const units = keywords.reduce((sum, keyword) => sum + foldText(keyword).length, 0);
  if (units > maxKeywordUnits) throw validationFailed('moderationRules.tooManyCharacters', { max: maxKeywordUnits });
}

const toColumns = ({ conditions, ...values }: RuleValues) => ({ ...values, conditions: JSON.stringify(conditions) });

const valuesOf = ({ title, enabled, subject, origin, conditions, actions, score }: ModerationRuleRow) => ({
  title,
  enabled,
  subject,
  origin,
  conditions,
  actions,
  score,
});

const auditTarget = ({ id, title }: ModerationRuleRow) => ({ target: 'moderation_rule', id, label: title }) as const;
