-- expand
-- How far the import of another server is: a row for each step.
create table server_import_steps (
  name text primary key,
  -- Key of the last row of the source that was read; null: none yet.
  cursor bigint[],
  -- Time of the source before its first row was read. Rows that change later are read again by the next run.
  started_at timestamptz not null,
  -- Null: the first pass has not ended.
  finished_at timestamptz,
  -- Rows that the database refused.
  refused integer not null default 0
);
