import { isDeepStrictEqual } from 'node:util';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { notFound, validationFailed } from '../../platform/http/http-errors.ts';
import { findLanguage } from '../../text/languages/index.ts';
import { recordStaffAction } from '../audit/record-staff-action.ts';
import type { Staff } from '../staff.ts';
import { writable } from '../tables.ts';
import type { RuleTranslation } from './list-rules.ts';
import { lockRule, type RuleRow } from './lock-rule.ts';
import { emitRulesChanged, parseRule } from './parse-rule.ts';

interface Translation extends RuleTranslation {
  readonly language: string;
}

/**
 * Adds or replaces the translation of a rule. Throws 404 if there is no such rule, 422 if the language is unknown or the text
 * blank or too long.
 */
export async function translateRule(
  app: App,
  staff: Staff,
  id: string,
  { language: tag, ...translation }: Translation,
): Promise<void> {
  const language = findLanguage(tag);
  if (language === undefined) throw validationFailed('site.unknownLanguage', { code: tag });
  const values = { text: '', hint: '', ...parseRule(translation) };
  await transaction(app, async (tx) => {
    const rule = await lockRule(tx, id);
    const before = await findTranslation(tx, rule.id, language);
    await writable(tx.db)
      .insertInto('rule_translations')
      .values({ rule_id: rule.id, language, ...values })
      .onConflict((conflict) => conflict.columns(['rule_id', 'language']).doUpdateSet(values))
      .execute();
    emitRulesChanged(tx, staff);
    recordTranslation(tx, staff, rule, { before, after: { language, ...values } });
  });
}

/** Deletes the translation of a rule. Throws 404 if there is none. */
export async function deleteRuleTranslation(app: App, staff: Staff, id: string, tag: string): Promise<void> {
  const language = findLanguage(tag) ?? tag;
  await transaction(app, async (tx) => {
    const rule = await lockRule(tx, id);
    const before = await findTranslation(tx, rule.id, language);
    if (before === undefined) throw notFound();
    await writable(tx.db)
      .deleteFrom('rule_translations')
      .where('rule_id', '=', rule.id)
      .where('language', '=', language)
      .execute();
    emitRulesChanged(tx, staff);
    recordTranslation(tx, staff, rule, { before, after: undefined });
  });
}

const findTranslation = ({ db }: Transaction, ruleId: string, language: string): Promise<Translation | undefined> =>
  db
    .selectFrom('rule_translations')
    .select(['language', 'text', 'hint'])
    .where('rule_id', '=', ruleId)
    .where('language', '=', language)
    .executeTakeFirst();

function recordTranslation(
  tx: Transaction,
  staff: Staff,
  { id, text }: RuleRow,
  { before, after }: { readonly before: Translation | undefined; readonly after: Translation | undefined },
): void {
  if (isDeepStrictEqual(before, after)) return;
  recordStaffAction(tx, staff, {
    target: 'rule',
    verb: 'translate',
    id,
    label: text,
    before: before && { ...before },
    after: after && { ...after },
  });
}
