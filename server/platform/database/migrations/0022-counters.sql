-- Rises with each change of a row, so that of two states of it one knows which is the newer one.
alter table status_stats add column version int not null default 1;
alter table account_stats add column version int not null default 1;
