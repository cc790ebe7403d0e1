import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { RowId } from '../../platform/ids.ts';
import { writable, type MatchEffects, type ModerationRuleId, type RuleMatchRow } from '../tables.ts';

/** A match with the title of its rule. */
export interface MatchWithRule extends RuleMatchRow {
  readonly title: string;
}

/** Returns and locks matches, in the order of their ids. */
export async function loadMatches({ db }: Transaction, ids: readonly RowId[]): Promise<MatchWithRule[]> {
  const { rows } = await sql<MatchWithRule>`
    select match.*, rule.title
    from moderation_rule_matches match join moderation_rules rule on rule.id = match.rule_id
    where match.id = any(${ids}::bigint[]) order by match.id for update of match`.execute(db);
  return rows;
}

/** Adds to what a match changed. */
export async function storeEffects({ db }: Transaction, id: RowId, effects: MatchEffects): Promise<void> {
  await sql`update moderation_rule_matches set effects = effects || ${JSON.stringify(effects)}::jsonb
    where id = ${id}`.execute(db);
}

/** Returns the next matches of a rule that are not undone, oldest first. */
export function listMatchesToUndo(
  { db }: App,
  {
    ruleId,
    afterId,
    throughId,
    limit,
  }: {
    readonly ruleId: ModerationRuleId;
    readonly afterId: RowId;
    readonly throughId: RowId;
    readonly limit: number;
  },
): Promise<RuleMatchRow[]> {
  return db
    .selectFrom('moderation_rule_matches')
    .selectAll()
    .where('rule_id', '=', ruleId)
    .where('id', '>', afterId)
    .where('id', '<=', throughId)
    .where('undone_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function markUndone({ db }: Transaction, app: App, id: RowId): Promise<void> {
  await writable(db)
    .updateTable('moderation_rule_matches')
    .set({ undone_at: app.clock.now() })
    .where('id', '=', id)
    .execute();
}
