-- expand
-- The rows of the current day with smaller ids are counted; null in the progress of past days.
alter table recount_progress add column counted_to bigint;
