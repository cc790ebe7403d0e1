-- Bytes of a local file; null for those stored earlier.
alter table media_attachments add column file_size bigint;
