-- `jobs list` and `jobs retry` look for failed jobs among millions that wait.
create index jobs_failed on jobs (id) where last_error is not null;
