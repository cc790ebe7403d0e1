-- Since when everything that was sent to a host failed, and until when it asked to be left alone (Retry-After).
alter table hosts add column failing_since timestamptz;
alter table hosts add column retry_after timestamptz;
update hosts set failing_since = coalesce(last_success_at, created_at) where failures > 0;

-- Inboxes that answered 410. A 404 is an ordinary failure now; stored inboxes do not say which it was.
delete from gone_inboxes;
create index gone_inboxes_host on gone_inboxes (split_part(url, '/', 3));
