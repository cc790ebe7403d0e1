import type { JSONColumnType, Selectable } from 'kysely';
import type { AccountId, Id, RowId } from '../platform/ids.ts';
import type { ModerationRule, RuleConditions } from './schema.ts';

export type ModerationRuleId = Id<'moderation-rule'>;

/** What a rule is compared with. */
export type RuleSubjectKind = ModerationRule['subject'];
export type RuleOrigin = ModerationRule['origin'];
export type RuleAction = ModerationRule['actions'][number];

/** What a match is about: as stored, or refused. */
export type MatchTarget = 'status';

export interface ModerationRuleTables {
  moderation_rules: {
    id: ModerationRuleId;
    title: string;
    enabled: boolean;
    subject: RuleSubjectKind;
    origin: RuleOrigin;
    conditions: JSONColumnType<RuleConditions, string, string>;
    actions: RuleAction[];
    /** Of 100, at which an action is taken: the scores of all matching rules with it are added. */
    score: number;
    created_at: Date;
    updated_at: Date;
  };
  /** What the rules did. Deleted after 90 days. */
  moderation_rule_matches: {
    id: RowId;
    rule_id: ModerationRuleId;
    /** Null: a sign-up that was refused. */
    account_id: AccountId | null;
    target_type: MatchTarget;
    /** Null: it was refused, so nothing was stored. */
    target_id: Id<string> | null;
    /** ActivityPub id of what was refused or held. */
    uri: string | null;
    /** The actions of the rule that were taken. */
    actions: RuleAction[];
    /** Beginning of the text. */
    excerpt: string;
    undone_at: Date | null;
    created_at: Date;
  };
}

export type ModerationRuleRow = Selectable<ModerationRuleTables['moderation_rules']>;
export type RuleMatchRow = Selectable<ModerationRuleTables['moderation_rule_matches']>;

declare module '../platform/database/tables.ts' {
  interface Tables extends ModerationRuleTables {}
}
