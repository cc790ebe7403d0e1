-- Uploads: what is done with a file between its arrival and its post.
alter table media_attachments
  add column state text not null default 'ready' check (state in ('waiting', 'ready', 'failed')),
  -- The file as it was sent, until it has been processed.
  add column source_key text,
  -- The scheduled post that will carry it; nothing else may take it meanwhile.
  add column scheduled_id bigint,
  -- When its post was deleted or let go of it; it goes a day after that, or after its upload.
  add column released_at timestamptz,
  -- What an address of the proxy must carry so that a file of another server is fetched.
  add column proxy_token uuid not null default gen_random_uuid();

-- A post and its files are stored in one transaction, in either order.
alter table media_attachments alter constraint media_attachments_status_id_fkey deferrable initially deferred;

drop index media_attachments_unattached;
create index media_attachments_unattached on media_attachments (coalesce(released_at, created_at))
  where status_id is null and scheduled_id is null and remote_url is null;
create index media_attachments_scheduled on media_attachments (scheduled_id) where scheduled_id is not null;
-- The sweep asks whether a stored file is still somebody's.
create index media_attachments_file on media_attachments (file_key) where file_key is not null;
