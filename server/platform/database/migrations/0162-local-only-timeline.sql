-- no transaction
drop index concurrently if exists statuses_local_only;
create index concurrently statuses_local_only on statuses (id desc)
  where visibility = 'local_public' and reblog_of_id is null and not is_reply and deleted_at is null;
