-- The words of each status, cut where no database could (Japanese, Chinese, Thai). Who may find it is decided when
-- somebody searches.
create table status_search (
  status_id bigint primary key references statuses on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  words tsvector not null
);
create index status_search_words on status_search using gin (words);
create index status_search_account on status_search (account_id, status_id desc);
