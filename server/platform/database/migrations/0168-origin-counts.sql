-- Reactions that the server of a remote status counts in addition to those known here. Null: it does not tell.
-- Not positive: all are known here.
alter table status_stats
  add column unseen_replies_count integer,
  add column unseen_reblogs_count integer,
  add column unseen_favourites_count integer,
  -- When its server was last asked for its counts, or sent them.
  add column origin_counted_at timestamptz;
