import type { App } from '../../platform/app.ts';
import { transaction as inTransaction } from '../../platform/database/transaction.ts';
import { notFound, validationFailed } from '../../platform/http/http-errors.ts';
import { isLanguage } from '../../text/languages/index.ts';
import type { Staff } from '../staff.ts';
import type { RuleTranslation } from './list-rules.ts';
import { emitRulesChanged, parseRule, parseRuleId } from './parse-rule.ts';

/**
 * Adds or replaces the translation of a rule. Throws 404 if there is no such rule, 422 if the language is unknown or the text
 * blank or too long.
 */
export async function translateRule(
  app: App,
  staff: Staff,
  id: string,
  { language, ...translation }: RuleTranslation & { readonly language: string },
): Promise<void> {
  if (!isLanguage(language)) throw validationFailed('site.unknownLanguage', { code: language });
  const values = { text: '', hint: '', ...parseRule(translation) };
  await inTransaction(app, async (tx) => {
    const rule = await tx.db
      .selectFrom('rules')
      .select('id')
      .where('id', '=', parseRuleId(id))
      .where('deleted_at', 'is', null)
      .forShare()
      .executeTakeFirst();
    if (rule === undefined) throw notFound();
    await tx.db
      .insertInto('rule_translations')
      .values({ rule_id: rule.id, language, ...values })
      .onConflict((conflict) => conflict.columns(['rule_id', 'language']).doUpdateSet(values))
      .execute();
    emitRulesChanged(tx, staff);
  });
}

/** Deletes the translation of a rule. Throws 404 if there is none. */
export async function deleteRuleTranslation(app: App, staff: Staff, id: string, language: string): Promise<void> {
  await inTransaction(app, async (tx) => {
    const { numDeletedRows } = await tx.db
      .deleteFrom('rule_translations')
      .where('rule_id', '=', parseRuleId(id))
      .where('language', '=', language)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw notFound();
    emitRulesChanged(tx, staff);
  });
}
