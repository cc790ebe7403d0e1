import type { Selectable } from 'kysely';
import type { Transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { SiteTables } from '../tables.ts';
import { parseRuleId } from './parse-rule.ts';

export type RuleRow = Selectable<SiteTables['rules']>;

/** Locks and returns a rule that staff change. Throws 404 if there is none. */
export function lockRule({ db }: Transaction, id: string): Promise<RuleRow> {
  return db
    .selectFrom('rules')
    .selectAll()
    .where('id', '=', parseRuleId(id))
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound());
}
