-- Lists of accounts, domains or posts that users import.
create table imports (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  type text not null,
  overwrite boolean not null,
  state text not null,
  total int not null,
  imported int not null default 0,
  removed int not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index imports_account on imports (account_id, id);
create index imports_created on imports (created_at);
-- Each type has at most one import that is not finished.
create unique index imports_open on imports (account_id, type) where state <> 'finished';

-- Lines that are not imported yet, or could not be.
create table import_rows (
  import_id bigint not null references imports on delete cascade,
  line int not null,
  target text not null,
  options jsonb not null,
  problem text,
  primary key (import_id, line)
);
create index import_rows_target on import_rows (import_id, target);
