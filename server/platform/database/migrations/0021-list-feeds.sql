-- How far the stored feed of a list reaches; a list without a row is read through its members.
create table list_feed_states (
  list_id bigint primary key references lists on delete cascade,
  -- The feed is complete from this status id on; the largest bigint while it is being built.
  complete_from bigint not null,
  -- Last read; feeds not used for weeks are dropped and rebuilt on return.
  used_at timestamptz not null
);
create index list_feed_states_used on list_feed_states (used_at);

-- What a list shows; written when something is posted. It goes with its state, as a whole.
create table list_feed (
  list_id bigint not null references list_feed_states on delete cascade,
  status_id bigint not null,
  -- The reblogged status, when status_id is a reblog.
  reblog_of_id bigint,
  primary key (list_id, status_id)
);
create index list_feed_status on list_feed (status_id);
