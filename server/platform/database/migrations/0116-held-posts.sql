-- Posts that moderation rules hold until staff decide about them.
create table held_posts (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  -- Null: local.
  domain text,
  -- Of a remote post.
  uri text,
  state text not null check (state in ('pending', 'approved', 'rejected')),
  -- What is published when staff approve it: the parameters of the request, or the received post.
  params jsonb not null,
  -- The post as its author and staff see it.
  preview jsonb not null,
  -- The published post.
  status_id bigint,
  created_at timestamptz not null,
  -- Null: pending.
  decided_at timestamptz
);
create unique index held_posts_uri on held_posts (uri) where uri is not null;
create index held_posts_account on held_posts (account_id, id);
create index held_posts_domain on held_posts (domain) where state = 'pending' and domain is not null;
create index held_posts_state on held_posts (state, id);
create index held_posts_decided on held_posts (decided_at) where decided_at is not null;

-- What a rule changed, so that it can be undone.
alter table moderation_rule_matches add column effects jsonb not null default '{}';
create index moderation_rule_matches_target on moderation_rule_matches (target_id) where target_id is not null;
