-- Posts that were read from the outbox of their author, not delivered: they are in profiles, and no news in any feed.
alter table statuses add column backfilled boolean not null default false;

-- How far the outbox of a remote account was read.
create table outbox_reads (
  account_id bigint primary key references accounts (id) on delete cascade,
  -- Start of the last read of its newest posts, and the number of reads of older ones since then.
  started_at timestamptz not null,
  older_reads integer not null default 0,
  -- The page where reading goes on, and the number of its items that were read; null at the end of the outbox.
  next_page text,
  next_offset integer not null default 0,
  -- Times of the newest and the oldest post that were read. There is no gap between them.
  newest_at timestamptz,
  reached_at timestamptz
);
