-- Work in the background whose progress clients follow, by a key such as context:123.
create table async_refreshes (
  key text primary key,
  -- Null: the results are not counted.
  result_count int,
  started_at timestamptz not null,
  -- Null while it is running.
  finished_at timestamptz,
  expires_at timestamptz not null
);
create index async_refreshes_expiry on async_refreshes (expires_at);

-- Replies between the status at which the walk of a thread starts and this one.
alter table reply_finds add column depth int not null default 0;
