-- Hashtags whose posts appear in someone's home.
create table tag_follows (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  tag_id bigint not null references tags on delete cascade,
  created_at timestamptz not null,
  unique (account_id, tag_id)
);
create index tag_follows_tag on tag_follows (tag_id, account_id);
create index tag_follows_account on tag_follows (account_id, id desc);

-- Hashtags that a profile shows.
create table featured_tags (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  tag_id bigint not null references tags on delete cascade,
  created_at timestamptz not null,
  unique (account_id, tag_id)
);
create index featured_tags_tag on featured_tags (tag_id);

create index endorsements_account on endorsements (account_id, id desc);
create index endorsements_target on endorsements (target_account_id);
create index account_domain_blocks_account on account_domain_blocks (account_id, id desc);

-- When accounts of this server moved, and where to: not too often.
create table account_moves (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  created_at timestamptz not null
);
create index account_moves_account on account_moves (account_id, id desc);
create index account_moves_target on account_moves (target_account_id);

-- The directory.
create index accounts_directory on accounts (id desc)
  where discoverable and activated and suspended_at is null and silenced_at is null and deleted_at is null and moved_to_account_id is null;
create index accounts_directory_local on accounts (id desc)
  where domain is null and discoverable and activated and suspended_at is null and silenced_at is null and deleted_at is null and moved_to_account_id is null;
create index account_stats_recent on account_stats (last_status_at desc nulls last, account_id desc);
