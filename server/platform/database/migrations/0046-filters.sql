-- What a user does not want to read. Version 1 of the API shows each keyword as a filter of its own.
create table filters (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  title text not null,
  -- Where clients apply it: home, notifications, public, thread, account.
  context text[] not null check (context <> '{}'),
  action text not null check (action in ('warn', 'hide', 'blur')),
  -- It does not match any more from then on; null: never expires.
  expires_at timestamptz,
  created_at timestamptz not null
);
create index filters_account on filters (account_id, id);

create table filter_keywords (
  id bigint primary key,
  filter_id bigint not null references filters on delete cascade,
  -- As the user wrote it.
  keyword text not null,
  whole_word boolean not null
);
create index filter_keywords_filter on filter_keywords (filter_id, id);

-- Single statuses that match a filter whatever their text.
create table filter_statuses (
  id bigint primary key,
  filter_id bigint not null references filters on delete cascade,
  status_id bigint not null references statuses on delete cascade,
  unique (filter_id, status_id)
);
create index filter_statuses_status on filter_statuses (status_id);
