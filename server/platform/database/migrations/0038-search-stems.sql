-- Index entries contain the stems of words since this version: a job adds them to the statuses stored before.
insert into jobs (queue, name, data, run_at)
select 'default', 'search.reindex_statuses', '{"before": "9223372036854775807"}', to_timestamp(0)
where exists (select from status_search);
