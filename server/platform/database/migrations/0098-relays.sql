-- Relays: servers that pass public posts on between their subscribers.
create table relays (
  id bigint primary key,
  -- As staff entered it: the inbox of a relay of Mastodon's kind, the actor of one of LitePub's.
  url text not null unique,
  kind text not null check (kind in ('mastodon', 'litepub')),
  -- idle: not subscribed; pending: the relay has not answered.
  state text not null check (state in ('idle', 'pending', 'accepted', 'rejected')),
  -- Null: the actor was not fetched yet.
  inbox_url text,
  -- Null: the relay has not answered yet.
  actor_uri text,
  -- Number in the id of the last Follow.
  follow_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
