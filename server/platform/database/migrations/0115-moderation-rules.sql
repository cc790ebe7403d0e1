-- Rules of staff that compare posts, sign-ups and follows with conditions (server/moderation-rules).
create table moderation_rules (
  id bigint primary key,
  title text not null,
  enabled boolean not null,
  subject text not null,
  origin text not null,
  conditions jsonb not null,
  actions text[] not null,
  score smallint not null check (score between 1 and 100),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- What the rules did.
create table moderation_rule_matches (
  id bigint primary key,
  rule_id bigint not null references moderation_rules on delete cascade,
  -- Null: a sign-up that was refused.
  account_id bigint references accounts on delete cascade,
  target_type text not null,
  -- Null: it was refused, so nothing was stored.
  target_id bigint,
  uri text,
  actions text[] not null,
  excerpt text not null,
  undone_at timestamptz,
  created_at timestamptz not null
);
create index moderation_rule_matches_rule on moderation_rule_matches (rule_id, id);
-- Servers send a refused post again.
create unique index moderation_rule_matches_uri on moderation_rule_matches (uri, rule_id) where uri is not null;
create index moderation_rule_matches_account on moderation_rule_matches (account_id) where account_id is not null;
