import type { Transaction } from '../../platform/write/transaction.ts';
import { notFound, invalidField } from '../../platform/http/http-errors.ts';
import { cleanText } from '../../text/index.ts';
import { siteSettingsChanged } from '../events.ts';
import { staffAccountId, type Staff } from '../staff.ts';
import type { RuleInput } from './change-rules.ts';

/** Characters (reference/limits.tsv: rule text). */
const maxTextLength = 300;
const maxHintLength = 5_000;

/** Returns the given fields as stored. Throws 422 if the text is blank or too long. */
export function parseRule({ text, hint, position }: Partial<RuleInput>) {
  const values = {
    ...(text !== undefined && { text: cleanText(text).trim() }),
    ...(hint !== undefined && { hint: cleanText(hint).trim() }),
    ...(position !== undefined && { position }),
  };
  if (values.text === '') throw invalidField('text', 'problems.blank');
  if ((values.text?.length ?? 0) > maxTextLength)
    throw invalidField('text', 'problems.tooLong', { max: maxTextLength });
  if ((values.hint?.length ?? 0) > maxHintLength)
    throw invalidField('hint', 'problems.tooLong', { max: maxHintLength });
  return values;
}

/** Returns the id if it can be one of the database. Throws 404 otherwise. */
export function parseRuleId(id: string): string {
  if (!/^\d{1,18}$/.test(id)) throw notFound();
  return id;
}

export function emitRulesChanged({ emit }: Transaction, staff: Staff): void {
  emit(siteSettingsChanged({ names: ['rules'], staffId: staffAccountId(staff) }));
}
