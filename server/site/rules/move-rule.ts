import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { invalidField, notFound } from '../../platform/http/http-errors.ts';
import { recordStaffUpdate } from '../audit/record-staff-update.ts';
import type { Staff } from '../staff.ts';
import { emitRulesChanged, parseRuleId } from './parse-rule.ts';

/**
 * Moves a rule to a place in the list, counted from 1; to the end of a shorter list. Throws 404 if there is no such
 * rule, 422 for a place below 1.
 */
export async function moveRule(app: App, staff: Staff, id: string, place: number): Promise<void> {
  if (!Number.isInteger(place) || place < 1) throw invalidField('place', 'problems.invalid');
  const ruleId = parseRuleId(id);
  await transaction(app, async (tx) => {
    const { db } = tx;
    // Locked in the order of their ids, as everywhere.
    await db.selectFrom('rules').select('id').where('deleted_at', 'is', null).orderBy('id').forUpdate().execute();
    const rules = await db
      .selectFrom('rules')
      .select(['id', 'text'])
      .where('deleted_at', 'is', null)
      .orderBy('position')
      .orderBy('id')
      .execute();
    const from = rules.findIndex((rule) => rule.id === ruleId);
    const [moved] = from === -1 ? [] : rules.splice(from, 1);
    if (moved === undefined) throw notFound();
    const to = Math.min(place - 1, rules.length);
    rules.splice(to, 0, moved);
    await sql`
      update rules set position = placed.position - 1
      from unnest(${rules.map((rule) => rule.id)}::bigint[]) with ordinality as placed(id, position)
      where rules.id = placed.id and rules.position <> placed.position - 1`.execute(db);
    emitRulesChanged(tx, staff);
    recordStaffUpdate(tx, staff, {
      target: 'rule',
      verb: 'move',
      id: ruleId,
      label: moved.text,
      before: { place: from + 1 },
      after: { place: to + 1 },
    });
  });
}
