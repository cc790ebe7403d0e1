-- How far the search for files that nothing names has come, by the folder of the storage.
create table storage_sweeps (
  folder text primary key,
  after text not null
);

-- The search asks for each stored picture whether a profile shows it; those of other servers are not stored.
create index accounts_avatar_key on accounts (avatar_key) where avatar_key is not null;
create index accounts_avatar_static_key on accounts (avatar_static_key) where avatar_static_key is not null;
create index accounts_header_key on accounts (header_key) where header_key is not null;
create index accounts_header_static_key on accounts (header_static_key) where header_static_key is not null;
