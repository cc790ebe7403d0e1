-- expand
-- Days (UTC) whose uses of hashtags were counted after they were over: tag_daily_uses has all of them.
create table counted_tag_days (
  day date primary key
);
