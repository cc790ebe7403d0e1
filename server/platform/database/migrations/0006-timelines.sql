-- What a local account's home shows, newest first; written when something is posted.
create table home_feed (
  account_id bigint not null,
  status_id bigint not null,
  -- The reblogged status, when status_id is a reblog.
  reblog_of_id bigint,
  primary key (account_id, status_id)
);
create index home_feed_status on home_feed (status_id);

-- How far a stored feed reaches.
create table home_feed_states (
  account_id bigint primary key references accounts on delete cascade,
  -- The feed is complete from this status id on; older pages are read through the follow graph.
  complete_from bigint not null,
  -- Last read; feeds not used for weeks are dropped and rebuilt on return.
  used_at timestamptz not null
);
create index home_feed_states_used on home_feed_states (used_at);

create table notifications (
  account_id bigint not null references accounts on delete cascade,
  id bigint not null,
  type text not null,
  from_account_id bigint not null references accounts on delete cascade,
  status_id bigint references statuses on delete cascade,
  group_key text,
  filtered boolean not null default false,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create unique index notifications_once on notifications (account_id, type, from_account_id, coalesce(status_id, 0)) where type in ('mention', 'status', 'reblog', 'favourite', 'follow', 'follow_request', 'poll', 'quote');
create index notifications_from on notifications (from_account_id, account_id);
create index notifications_status on notifications (status_id) where status_id is not null;
