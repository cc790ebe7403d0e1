-- Hashes of the words and properties of the posts that someone may search (docs/decisions/0060). A job indexes the posts
-- stored before, newest first; until it is done, searches miss the older ones.
drop table status_search;
create table status_search (
  status_id bigint primary key references statuses on delete cascade,
  terms int[] not null
);
-- A search reads the list of pending entries too, so it is short.
create index status_search_terms on status_search using gin (terms) with (gin_pending_list_limit = 256);
-- The planner's statistics of terms are of no use: their plan is always the same.
alter table status_search alter column terms set statistics 0;
insert into jobs (queue, name, data, run_at)
select 'background', 'search.reindex_statuses', '{"before": "9223372036854775807"}', to_timestamp(0)
where exists (select from statuses);
