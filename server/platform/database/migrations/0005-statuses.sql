create table tags (
  id bigint primary key,
  -- Normalised: NFKC, lower case.
  name text not null unique,
  -- As first written.
  display_name text not null,
  usable boolean not null default true,
  listable boolean not null default true,
  trendable boolean,
  reviewed_at timestamptz,
  created_at timestamptz not null,
  last_status_at timestamptz
);
create index tags_prefix on tags (name text_pattern_ops);

create table conversations (
  id bigint primary key,
  -- Of a conversation that began elsewhere.
  uri text unique,
  created_at timestamptz not null
);

create table statuses (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  uri text not null unique,
  url text,
  -- The account is of this server.
  local boolean not null,
  -- As typed (local only), for redraft and editing.
  text text not null default '',
  -- Safe HTML.
  content text not null default '',
  spoiler_text text not null default '',
  sensitive boolean not null default false,
  language text,
  visibility text not null check (visibility in ('public', 'unlisted', 'private', 'direct')),
  in_reply_to_id bigint references statuses on delete set null,
  -- Kept when the parent is gone.
  in_reply_to_account_id bigint,
  -- A reply to somebody else: not shown in public timelines.
  is_reply boolean not null default false,
  reblog_of_id bigint references statuses on delete cascade,
  conversation_id bigint references conversations,
  application_id bigint references oauth_applications on delete set null,
  -- In the author's order.
  media_ids bigint[] not null default '{}',
  has_media boolean not null default false,
  poll_id bigint,
  created_at timestamptz not null,
  edited_at timestamptz,
  -- Hidden everywhere at once; removed by a job later.
  deleted_at timestamptz
);
create index statuses_account on statuses (account_id, id desc) where deleted_at is null;
create unique index statuses_reblog on statuses (account_id, reblog_of_id) where reblog_of_id is not null and deleted_at is null;
create index statuses_reblogs_of on statuses (reblog_of_id, id desc) where reblog_of_id is not null and deleted_at is null;
create index statuses_replies on statuses (in_reply_to_id, id) where in_reply_to_id is not null and deleted_at is null;
create index statuses_public on statuses (id desc) where visibility = 'public' and reblog_of_id is null and not is_reply and deleted_at is null;
create index statuses_public_local on statuses (id desc) where visibility = 'public' and reblog_of_id is null and not is_reply and deleted_at is null and local;
create index statuses_public_remote on statuses (id desc) where visibility = 'public' and reblog_of_id is null and not is_reply and deleted_at is null and not local;
create index statuses_public_media on statuses (id desc) where visibility = 'public' and reblog_of_id is null and not is_reply and deleted_at is null and has_media;
create index statuses_account_media on statuses (account_id, id desc) where has_media and deleted_at is null;
create index statuses_conversation on statuses (conversation_id, id) where deleted_at is null;
create index statuses_deleted on statuses (deleted_at) where deleted_at is not null;
create index statuses_url on statuses (url) where url is not null;
create index statuses_application on statuses (application_id) where application_id is not null;

create table status_stats (
  status_id bigint primary key references statuses on delete cascade,
  replies_count int not null default 0,
  reblogs_count int not null default 0,
  favourites_count int not null default 0,
  quotes_count int not null default 0
) with (fillfactor = 70);

create table status_tags (
  tag_id bigint not null references tags,
  status_id bigint not null references statuses on delete cascade,
  primary key (tag_id, status_id)
);
create index status_tags_status on status_tags (status_id);

create table mentions (
  id bigint primary key,
  status_id bigint not null references statuses on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  -- Addressed but not named in the text: may see it, is not listed.
  silent boolean not null default false,
  unique (status_id, account_id)
);
create index mentions_account on mentions (account_id, status_id desc);

create table favourites (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  status_id bigint not null references statuses on delete cascade,
  created_at timestamptz not null,
  unique (account_id, status_id)
);
create index favourites_status on favourites (status_id, id desc);
create index favourites_account on favourites (account_id, id desc);

create table bookmarks (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  status_id bigint not null references statuses on delete cascade,
  created_at timestamptz not null,
  unique (account_id, status_id)
);
create index bookmarks_account on bookmarks (account_id, id desc);
create index bookmarks_status on bookmarks (status_id);

create table status_pins (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  status_id bigint not null references statuses on delete cascade,
  created_at timestamptz not null,
  unique (account_id, status_id)
);
create index status_pins_status on status_pins (status_id);

create table conversation_mutes (
  account_id bigint not null references accounts on delete cascade,
  conversation_id bigint not null references conversations on delete cascade,
  primary key (account_id, conversation_id)
);

-- Same key within an hour, same status (STA-10).
create table idempotency_keys (
  account_id bigint not null references accounts on delete cascade,
  key text not null,
  status_id bigint not null,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

create table media_attachments (
  id bigint primary key,
  account_id bigint references accounts on delete set null,
  status_id bigint references statuses on delete set null,
  type text not null check (type in ('image', 'gifv', 'video', 'audio', 'unknown')),
  content_type text,
  -- Storage keys of what is kept here.
  file_key text,
  preview_key text,
  remote_url text,
  remote_preview_url text,
  description text,
  blurhash text,
  -- original, small, focus, colors, as MediaAttachment.meta.
  meta jsonb,
  created_at timestamptz not null
);
create index media_attachments_status on media_attachments (status_id) where status_id is not null;
create index media_attachments_account on media_attachments (account_id, id desc);
create index media_attachments_unattached on media_attachments (created_at) where status_id is null;
