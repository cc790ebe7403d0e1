-- How a local post was written; null: text/plain.
alter table statuses add column content_type text;

-- A version keeps what was typed besides what it looked like.
alter table status_edits
  add column text text not null default '',
  add column content_type text;
