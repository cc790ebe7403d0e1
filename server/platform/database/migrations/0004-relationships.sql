create table follows (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  show_reblogs boolean not null default true,
  notify boolean not null default false,
  -- Null: all languages.
  languages text[],
  uri text,
  created_at timestamptz not null,
  unique (account_id, target_account_id)
);
create index follows_target on follows (target_account_id, id desc);
create index follows_account on follows (account_id, id desc);

create table follow_requests (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  show_reblogs boolean not null default true,
  notify boolean not null default false,
  languages text[],
  uri text,
  created_at timestamptz not null,
  unique (account_id, target_account_id)
);
create index follow_requests_target on follow_requests (target_account_id, id desc);

create table blocks (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  uri text,
  created_at timestamptz not null,
  unique (account_id, target_account_id)
);
create index blocks_target on blocks (target_account_id);
create index blocks_account on blocks (account_id, id desc);

create table mutes (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  hide_notifications boolean not null default true,
  -- Null: for ever. A mute past this moment is not applied.
  expires_at timestamptz,
  created_at timestamptz not null,
  unique (account_id, target_account_id)
);
create index mutes_target on mutes (target_account_id);
create index mutes_account on mutes (account_id, id desc);

create table account_domain_blocks (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  domain text not null,
  created_at timestamptz not null,
  unique (account_id, domain)
);

create table endorsements (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  created_at timestamptz not null,
  unique (account_id, target_account_id)
);
