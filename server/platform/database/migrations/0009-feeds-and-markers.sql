-- Authors with so many local followers that their posts are not written into each feed but merged in when it is read.
create table merged_authors (
  account_id bigint primary key references accounts on delete cascade,
  since timestamptz not null
);

-- How far someone has read a timeline ('home' or 'notifications').
create table markers (
  account_id bigint not null references accounts on delete cascade,
  timeline text not null check (timeline in ('home', 'notifications')),
  last_read_id bigint not null,
  -- Grows with each change, so that two clients do not overwrite each other unknowingly.
  version int not null default 0,
  updated_at timestamptz not null,
  primary key (account_id, timeline)
);

create index follows_notify on follows (target_account_id, account_id) where notify;
create index notifications_group on notifications (account_id, group_key collate "C", id desc) where group_key is not null;
