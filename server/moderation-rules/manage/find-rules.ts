import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pageEnds, pagedQuery, selectPage, type PageEnds } from '../../platform/database/paged-query.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { ModerationRule, ModerationRuleMatch } from '../schema.ts';
import type { ModerationRuleId, ModerationRuleRow, RuleMatchRow } from '../tables.ts';

const rules = pagedQuery<ModerationRuleRow>()<{ enabled: boolean | null }>((db, args, order) =>
  selectPage(
    db
      .selectFrom('moderation_rules')
      .selectAll()
      .where(sql<boolean>`(${args.enabled}::boolean is null or enabled = ${args.enabled}::boolean)`),
    args,
    order,
  ),
);

const matches = pagedQuery<RuleMatchRow>()<{ ruleId: ModerationRuleId }>((db, args, order) =>
  selectPage(db.selectFrom('moderation_rule_matches').selectAll().where('rule_id', '=', args.ruleId), args, order),
);

/** Returns a page of the rules, or of the enabled or disabled ones, newest first. */
export async function listModerationRules(
  app: App,
  page: Page,
  { enabled = null }: { readonly enabled?: boolean | null | undefined } = {},
): Promise<{ readonly rules: ModerationRule[] } & PageEnds> {
  const rows = await rules(app, page, { enabled });
  return { rules: rows.map(presentModerationRule), ...pageEnds(page, rows) };
}

/** Returns a rule. Throws 404 for an unknown id. */
export async function requireModerationRule(app: App, id: ModerationRuleId): Promise<ModerationRule> {
  const row = await app.db
    .selectFrom('moderation_rules')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound());
  return presentModerationRule(row);
}

/** Returns a page of what a rule did, newest first. Throws 404 for an unknown rule. */
export async function listRuleMatches(
  app: App,
  ruleId: ModerationRuleId,
  page: Page,
): Promise<{ readonly matches: ModerationRuleMatch[] } & PageEnds> {
  await requireModerationRule(app, ruleId);
  const rows = await matches(app, page, { ruleId });
  return { matches: rows.map(presentMatch), ...pageEnds(page, rows) };
}

export const presentModerationRule = ({ created_at: created, updated_at: updated, ...row }: ModerationRuleRow) =>
  ({ ...row, created_at: created.toISOString(), updated_at: updated.toISOString() }) satisfies ModerationRule;

const presentMatch = ({ created_at: created, undone_at: undone, ...row }: RuleMatchRow) =>
  ({
    ...row,
    undone_at: undone?.toISOString() ?? null,
    created_at: created.toISOString(),
  }) satisfies ModerationRuleMatch;
