-- expand
-- Posts that users import from archives of other servers. Their visibility marks them; validated by the next migration.
alter table statuses drop constraint statuses_visibility_check;
alter table statuses add constraint statuses_visibility_check check (visibility in
  ('public', 'unlisted', 'private', 'direct', 'local_public', 'local_unlisted', 'local_private',
    'imported_public', 'imported_unlisted', 'imported_private', 'imported_direct')) not valid;

create table post_imports (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  state text not null,
  problem text,
  -- The uploaded file; null once it is deleted.
  storage_key text,
  -- Address of the server that the file does not name; null for archives.
  origin text,
  -- ActivityPub id of the account whose posts they are; null if the file does not name it.
  actor text,
  with_direct boolean not null default false,
  with_bookmarks boolean not null default false,
  with_likes boolean not null default false,
  posts int not null default 0,
  direct int not null default 0,
  boosts int not null default 0,
  invalid int not null default 0,
  files int not null default 0,
  bookmarks int not null default 0,
  likes int not null default 0,
  imported int not null default 0,
  known int not null default 0,
  missing_files int not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index post_imports_account on post_imports (account_id, id);
create index post_imports_storage_key on post_imports (storage_key) where storage_key is not null;
-- An account has at most one import at work.
create unique index post_imports_open on post_imports (account_id)
  where state in ('reading', 'unconfirmed', 'adding', 'undoing');

-- Posts that were read and are not added yet.
create table post_import_items (
  import_id bigint not null references post_imports on delete cascade,
  position int not null,
  published_at timestamptz not null,
  post jsonb not null,
  primary key (import_id, published_at, position)
);

create table imported_statuses (
  status_id bigint primary key references statuses on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  import_id bigint not null references post_imports on delete cascade,
  -- ActivityPub id of the original.
  original_uri text not null,
  unique (account_id, original_uri)
);
create index imported_statuses_import on imported_statuses (import_id);
