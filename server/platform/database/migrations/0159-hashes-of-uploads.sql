-- SHA-256 of a local file as it was uploaded. Files of an older server have none.
alter table media_attachments add column upload_hash bytea;
create index media_attachments_upload_hash on media_attachments (account_id, upload_hash)
  where upload_hash is not null;
