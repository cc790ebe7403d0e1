-- Raised by each change, so that two devices do not overwrite each other.
alter table web_settings add column version integer not null default 1;
