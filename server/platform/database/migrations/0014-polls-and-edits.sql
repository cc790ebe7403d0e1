create table polls (
  id bigint primary key,
  -- A post and its poll are stored in one transaction, in either order.
  status_id bigint not null unique references statuses on delete cascade deferrable initially deferred,
  account_id bigint not null references accounts on delete cascade,
  options text[] not null,
  -- Votes of each option.
  tallies int[] not null,
  multiple boolean not null,
  hide_totals boolean not null,
  -- Null: open without end, of other servers only.
  expires_at timestamptz,
  -- Null: the server of the poll does not tell.
  voters_count int,
  -- Grows when an edit throws the votes away.
  round int not null default 0,
  -- When its end was told.
  ended_at timestamptz,
  -- Its new counts are about to be told to other servers.
  tally_due boolean not null default false,
  created_at timestamptz not null
) with (fillfactor = 70);
create index polls_account on polls (account_id);

create table poll_votes (
  id bigint primary key,
  poll_id bigint not null references polls on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  -- Place of the option in the poll, from 0.
  choice int not null,
  created_at timestamptz not null,
  unique (poll_id, account_id, choice)
);
create index poll_votes_account on poll_votes (account_id);

-- All versions of a post that was edited, the first and the current one included.
create table status_edits (
  id bigint primary key,
  status_id bigint not null references statuses on delete cascade,
  -- Safe HTML.
  content text not null,
  spoiler_text text not null,
  sensitive boolean not null,
  media_ids bigint[] not null,
  -- Of each of the files, as they were described then.
  media_descriptions text[] not null,
  -- Null: no poll.
  poll_options text[],
  created_at timestamptz not null
);
create index status_edits_status on status_edits (status_id, id);

create table scheduled_statuses (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  scheduled_at timestamptz not null,
  -- What was asked for, to be posted then.
  params jsonb not null,
  created_at timestamptz not null
);
create index scheduled_statuses_account on scheduled_statuses (account_id, id desc);
create index scheduled_statuses_time on scheduled_statuses (account_id, scheduled_at);
