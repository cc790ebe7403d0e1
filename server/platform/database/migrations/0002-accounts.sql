create table accounts (
  id bigint primary key,
  username text not null,
  -- Null for an account of this server; lower case, punycode.
  domain text,
  uri text not null unique,
  url text,
  actor_type text not null default 'Person',
  display_name text not null default '',
  -- Local: as typed. Remote: sanitised HTML.
  note text not null default '',
  -- [{name, value, verified_at}], values as typed (local) or sanitised HTML (remote).
  fields jsonb not null default '[]',
  locked boolean not null default false,
  discoverable boolean,
  indexable boolean not null default false,
  hide_collections boolean,
  show_media boolean not null default true,
  show_media_replies boolean not null default true,
  show_featured boolean not null default true,
  memorial boolean not null default false,
  -- Storage keys of local images.
  avatar_key text,
  avatar_static_key text,
  header_key text,
  header_static_key text,
  avatar_remote_url text,
  header_remote_url text,
  avatar_description text not null default '',
  header_description text not null default '',
  also_known_as text[] not null default '{}',
  attribution_domains text[] not null default '{}',
  moved_to_account_id bigint references accounts,
  inbox_url text,
  shared_inbox_url text,
  outbox_url text,
  followers_url text,
  following_url text,
  featured_url text,
  -- Protocol of a remote account: 'activitypub', or 'ostatus' for rows of servers long gone.
  protocol text not null default 'activitypub',
  silenced_at timestamptz,
  sensitized_at timestamptz,
  suspended_at timestamptz,
  suspension_origin text check (suspension_origin in ('local', 'remote')),
  -- Local accounts: false until the user is confirmed and approved.
  activated boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the remote profile was last read.
  fetched_at timestamptz,
  deleted_at timestamptz
);
create unique index accounts_handle on accounts (lower(username), coalesce(domain, ''));
create index accounts_domain on accounts (domain, id) where domain is not null;
create index accounts_names on accounts using gin ((lower(username) || ' ' || lower(display_name)) gin_trgm_ops) where suspended_at is null and deleted_at is null;
create index accounts_url on accounts (url) where url is not null;
create index accounts_moved on accounts (moved_to_account_id) where moved_to_account_id is not null;

create table account_stats (
  account_id bigint primary key references accounts on delete cascade,
  statuses_count int not null default 0,
  followers_count int not null default 0,
  following_count int not null default 0,
  -- Followers that are accounts of this server, for choosing how a post reaches their feeds.
  local_followers_count int not null default 0,
  last_status_at timestamptz
) with (fillfactor = 70);

create table account_keys (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  key_id text not null unique,
  public_key_pem text not null,
  -- Local accounts only.
  private_key_pem text,
  created_at timestamptz not null default now()
);
create index account_keys_account on account_keys (account_id);

create table account_notes (
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  comment text not null,
  primary key (account_id, target_account_id)
);
