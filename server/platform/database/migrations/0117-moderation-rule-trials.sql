-- Comparisons of moderation rules with past posts, before they are enabled.
create table moderation_rule_trials (
  id bigint primary key,
  rule_id bigint not null references moderation_rules on delete cascade,
  origin text not null,
  -- As the rule had them.
  conditions jsonb not null,
  -- Posts since then are compared, newest first.
  since timestamptz not null,
  -- The next post has a lower id.
  below_id bigint not null,
  examined integer not null,
  matched integer not null,
  samples jsonb not null,
  created_at timestamptz not null,
  -- Null: it is running.
  finished_at timestamptz
);
create index moderation_rule_trials_rule on moderation_rule_trials (rule_id, id);
