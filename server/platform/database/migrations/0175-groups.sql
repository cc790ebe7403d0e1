-- Groups: local accounts that boost what their members post to them (FEP-1b12).
create table groups (
  account_id bigint primary key references accounts (id) on delete cascade,
  posting text not null default 'members' check (posting in ('members', 'moderators')),
  moderated boolean not null default false,
  rules text not null default '',
  created_at timestamptz not null
);

create table group_moderators (
  group_id bigint not null references groups (account_id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  created_at timestamptz not null,
  primary key (group_id, account_id)
);
create index group_moderators_account on group_moderators (account_id);

-- A removed or refused post keeps its row, so that it does not return.
create table group_posts (
  id bigint primary key,
  group_id bigint not null references groups (account_id) on delete cascade,
  status_id bigint not null references statuses (id) on delete cascade,
  state text not null check (state in ('waiting', 'accepted', 'removed', 'refused')),
  reply boolean not null,
  activity text,
  created_at timestamptz not null,
  unique (group_id, status_id)
);
create index group_posts_status on group_posts (status_id);
create index group_posts_waiting on group_posts (group_id, id) where state = 'waiting';

-- Which servers have groups.
create index accounts_groups on accounts (domain) where actor_type = 'Group';

-- create_groups, for those who manage reports or users. Administrators have every permission.
update roles set permissions = permissions | (1::bigint << 30)
where permissions & (16 | 1024) <> 0 and permissions & 1 = 0 and id <> -99;
