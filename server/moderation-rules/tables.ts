import type { JSONColumnType, Selectable } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, AnyId, Id, RowId, StatusId } from '../platform/ids.ts';
import type { ModerationRule, ModerationRuleMatch, ModerationRuleTrial, RuleConditions } from './schema.ts';

export type ModerationRuleId = Id<'moderation-rule'>;
export type ModerationRuleTrialId = Id<'moderation-rule-trial'>;

/** What a rule is compared with. */
export type RuleSubjectKind = ModerationRule['subject'];
export type RuleOrigin = ModerationRule['origin'];
export type RuleAction = ModerationRule['actions'][number];

/** What a match is about: as stored, or refused. */
export type MatchTarget = ModerationRuleMatch['target_type'];
/** What a match changed. */
export type MatchEffects = ModerationRuleMatch['effects'];

/** A past post that a rule would have matched. */
export type TrialSample = ModerationRuleTrial['samples'][number];

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
    target_id: AnyId | null;
    /** ActivityPub id of what was refused or held. */
    uri: string | null;
    /** The actions of the rule that were taken. */
    actions: RuleAction[];
    /** Beginning of the text. */
    excerpt: string;
    effects: JSONColumnType<MatchEffects, string | undefined, string>;
    undone_at: Date | null;
    created_at: Date;
  };
  /** Comparisons of rules with past posts. */
  moderation_rule_trials: {
    id: ModerationRuleTrialId;
    rule_id: ModerationRuleId;
    origin: RuleOrigin;
    /** As the rule had them. */
    conditions: JSONColumnType<RuleConditions, string, string>;
    /** Posts since then are compared, newest first. */
    since: Date;
    /** The next post has a lower id. */
    below_id: StatusId;
    examined: number;
    matched: number;
    samples: JSONColumnType<TrialSample[], string, string>;
    created_at: Date;
    /** Null: it is running. */
    finished_at: Date | null;
  };
}

export type ModerationRuleRow = Selectable<ModerationRuleTables['moderation_rules']>;
export type RuleTrialRow = Selectable<ModerationRuleTables['moderation_rule_trials']>;
export type RuleMatchRow = Selectable<ModerationRuleTables['moderation_rule_matches']>;

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<ModerationRuleTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends ModerationRuleTables {}
}
