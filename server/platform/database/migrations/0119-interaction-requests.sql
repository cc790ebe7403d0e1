-- Interactions that wait for the author of a post, and what authors decided.
create table interaction_requests (
  id bigint primary key,
  kind text not null check (kind in ('favourite', 'reply', 'reblog')),
  -- pending: waits for the author.
  state text not null check (state in ('pending', 'accepted', 'rejected')),
  -- The post and its author.
  status_id bigint not null references statuses on delete cascade,
  author_id bigint not null references accounts on delete cascade,
  -- The account that favourites, replies or reblogs.
  account_id bigint not null references accounts on delete cascade,
  -- The reply. Only the two accounts see it while it is pending. Null for other kinds.
  reply_id bigint references statuses on delete cascade,
  -- ActivityPub ids of the Like, reply or Announce (null: a local favourite), and of the request for it.
  uri text,
  request_uri text,
  -- What a pending reply or reblog gets when it is accepted.
  visibility text,
  mentioned_ids bigint[] not null default '{}',
  silent_ids bigint[] not null default '{}',
  unresolved_handles text[] not null default '{}',
  -- The authorization by a remote author.
  authorization_uri text,
  created_at timestamptz not null,
  decided_at timestamptz
);
create unique index interaction_requests_once on interaction_requests (status_id, account_id, kind) where reply_id is null;
create unique index interaction_requests_reply on interaction_requests (reply_id) where reply_id is not null;
create index interaction_requests_pending on interaction_requests (author_id, id) where state = 'pending';
create index interaction_requests_status on interaction_requests (status_id);
create index interaction_requests_author on interaction_requests (author_id);
create index interaction_requests_account on interaction_requests (account_id);
create index interaction_requests_uri on interaction_requests (uri) where uri is not null;
