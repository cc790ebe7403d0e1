create table bookmark_folders (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  name text not null,
  -- Folders are listed by position and id. Positions may have gaps.
  position int not null,
  created_at timestamptz not null
);
create unique index bookmark_folders_name on bookmark_folders (account_id, lower(name));

create table bookmark_folder_items (
  folder_id bigint not null references bookmark_folders on delete cascade,
  bookmark_id bigint not null references bookmarks on delete cascade,
  primary key (folder_id, bookmark_id)
);
create index bookmark_folder_items_bookmark on bookmark_folder_items (bookmark_id);
