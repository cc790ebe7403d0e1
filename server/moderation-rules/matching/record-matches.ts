import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId, type RowId, type StatusId } from '../../platform/ids.ts';
import { truncateText } from '../../text/index.ts';
import { rulesMatched } from '../events.ts';
import type { MatchEffects, MatchTarget } from '../tables.ts';
import type { Verdict } from './screen.ts';

/** What rules matched, for staff. */
export interface MatchedTarget {
  readonly type: MatchTarget;
  /** Absent: it is refused. */
  readonly id?: string | undefined;
  /** Null: a sign-up that is refused. */
  readonly accountId: AccountId | null;
  /** ActivityPub id of what is refused or held. */
  readonly uri?: string | undefined;
  readonly text: string;
  /** The stored post. */
  readonly statusId?: StatusId | undefined;
  readonly effects?: MatchEffects | undefined;
}

const maxExcerptLength = 300;

/** Stores what the rules of a verdict did, in the transaction that does it. */
export async function recordMatches(
  tx: Transaction,
  app: App,
  { rules, actions }: Verdict,
  target: MatchedTarget,
): Promise<void> {
  const now = app.clock.now();
  // Leaves out rules that were deleted since they were loaded, and posts that a server sends again.
  const { rows } = await sql<{ id: RowId }>`
    insert into moderation_rule_matches
      (id, rule_id, account_id, target_type, target_id, uri, actions, excerpt, effects, created_at)
    select match.id, match.rule_id, ${target.accountId}, ${target.type}, ${target.id ?? null}::bigint,
      ${target.uri ?? null}, string_to_array(match.actions, ' '), ${excerptOf(target.text)},
      ${JSON.stringify(target.effects ?? {})}::jsonb, ${now}
    from unnest(
        ${rules.map(() => newId<'row'>(now))}::bigint[], ${rules.map(({ id }) => id)}::bigint[],
        ${rules.map((rule) => rule.actions.filter((action) => actions.has(action)).join(' '))}::text[]
      ) as match(id, rule_id, actions)
      join moderation_rules on moderation_rules.id = match.rule_id
    on conflict do nothing
    returning id`.execute(tx.db);
  if (rows.length === 0 || !(actions.has('silence') || actions.has('report'))) return;
  const { accountId, statusId } = target;
  if (accountId === null) return;
  const matchIds = rows.map(({ id }) => id);
  const [silence, report] = [actions.has('silence'), actions.has('report')];
  tx.emit(rulesMatched({ matchIds, accountId, silence, report, ...(statusId !== undefined && { statusId }) }));
}

/** Like `recordMatches`, for something that is refused and so has no transaction. */
export const recordRefusal = (app: App, verdict: Verdict, target: MatchedTarget): Promise<void> =>
  transaction(app, (tx) => recordMatches(tx, app, verdict, target));

const excerptOf = (text: string): string => truncateText(text.trim(), maxExcerptLength);
