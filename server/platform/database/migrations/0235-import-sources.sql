-- expand
-- The software of the imported server; null: from before it was recorded.
alter table server_import_steps add column source text;
