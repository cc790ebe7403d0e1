-- expand
-- Where the removal of old remote data continues: each run examines a part of it.
create table retention_progress (
  kind text primary key,
  -- The id that was examined last.
  last_id bigint not null
);
