create table roles (
  id bigint primary key,
  name text not null,
  color text not null default '',
  position int not null,
  permissions bigint not null default 0,
  highlighted boolean not null default false,
  collection_limit int not null default 10,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- -99 is everyone; 0x1 administrator, the other bits as Role.permissions of the client interface.
insert into roles (id, name, color, position, permissions, highlighted) values
  (-99, '', '', -1, 65536, false),
  (1, 'Moderator', '', 10, 1308, true),
  (2, 'Admin', '', 100, 983036, true),
  (3, 'Owner', '', 1000, 1, true);

create table users (
  id bigint primary key,
  account_id bigint not null unique references accounts,
  email text not null,
  unconfirmed_email text,
  password_hash text not null,
  role_id bigint not null default -99 references roles,
  confirmed_at timestamptz,
  confirmation_token_hash bytea,
  confirmation_sent_at timestamptz,
  reset_token_hash bytea,
  reset_sent_at timestamptz,
  approved boolean not null default true,
  disabled boolean not null default false,
  locale text not null default 'en',
  time_zone text,
  sign_up_reason text,
  sign_up_ip inet,
  created_by_application_id bigint,
  -- default_privacy, default_sensitive, default_language, default_quote_policy, reading preferences …
  settings jsonb not null default '{}',
  last_active_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index users_email on users (lower(email));
create unique index users_confirmation on users (confirmation_token_hash) where confirmation_token_hash is not null;
create unique index users_reset on users (reset_token_hash) where reset_token_hash is not null;
create index users_active on users (last_active_at);
create index users_staff on users (role_id) where role_id <> -99;

-- A browser that is signed in to the web pages.
create table sessions (
  id bigint primary key,
  user_id bigint not null references users on delete cascade,
  token_hash bytea not null unique,
  user_agent text not null default '',
  ip inet,
  created_at timestamptz not null,
  last_used_at timestamptz not null
);
create index sessions_user on sessions (user_id);

create table oauth_applications (
  id bigint primary key,
  name text not null,
  website text,
  redirect_uris text[] not null,
  scopes text not null,
  client_id text not null unique,
  client_secret_hash bytea not null,
  created_at timestamptz not null
);

create table oauth_grants (
  code_hash bytea primary key,
  application_id bigint not null references oauth_applications on delete cascade,
  user_id bigint not null references users on delete cascade,
  redirect_uri text not null,
  scopes text not null,
  code_challenge text,
  expires_at timestamptz not null,
  -- Set when it was exchanged; a second try revokes the token made from it.
  used_at timestamptz,
  token_id bigint
);
create index oauth_grants_user on oauth_grants (user_id);

create table oauth_tokens (
  id bigint primary key,
  token_hash bytea not null unique,
  application_id bigint references oauth_applications on delete cascade,
  user_id bigint references users on delete cascade,
  scopes text not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_ip inet
);
create index oauth_tokens_user on oauth_tokens (user_id) where revoked_at is null;
create index oauth_tokens_application on oauth_tokens (application_id);
