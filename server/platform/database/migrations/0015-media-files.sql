-- The sweep asks for each stored file whether it is still somebody's; file_key has its index already.
create index media_attachments_preview on media_attachments (preview_key) where preview_key is not null;
create index media_attachments_source on media_attachments (source_key) where source_key is not null;
