-- expand
-- Statuses of the current day with smaller ids are counted in tag_daily_uses; null: all of the day.
alter table counted_tag_days add column counted_to bigint;
