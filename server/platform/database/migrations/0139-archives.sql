-- Files with all data of an account that users request. A row without a file stays, because it limits the next request.
create table archives (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  state text not null,
  posts_written int not null default 0,
  attempts int not null default 0,
  size bigint,
  storage_key text,
  problem text,
  requested_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz
);
create index archives_account on archives (account_id, id);
create index archives_requested on archives (requested_at);
create index archives_expires on archives (expires_at) where state = 'ready';
create index archives_storage_key on archives (storage_key) where storage_key is not null;
-- An account has at most one archive in the making.
create unique index archives_open on archives (account_id) where state in ('waiting', 'building');
