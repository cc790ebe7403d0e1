-- Reactions to posts with emojis.
create table status_reactions (
  id bigint primary key,
  status_id bigint not null references statuses on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  -- A Unicode emoji, or the shortcode of a custom one of this domain; '': local.
  name text not null,
  domain text not null,
  -- ActivityPub id of a remote one.
  uri text,
  created_at timestamptz not null,
  unique (status_id, account_id, name, domain)
);
create index status_reactions_account on status_reactions (account_id);
create index status_reactions_uri on status_reactions (uri) where uri is not null;

create table status_reaction_counts (
  status_id bigint not null references statuses on delete cascade,
  name text not null,
  domain text not null,
  count integer not null,
  -- Of the first one.
  created_at timestamptz not null,
  primary key (status_id, name, domain)
);
