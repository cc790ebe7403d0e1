-- What happens to notifications from strangers. Without a row the policy has its defaults.
create table notification_policies (
  account_id bigint primary key references accounts on delete cascade,
  for_not_following text not null default 'accept' check (for_not_following in ('accept', 'filter', 'drop')),
  for_not_followers text not null default 'accept' check (for_not_followers in ('accept', 'filter', 'drop')),
  for_new_accounts text not null default 'accept' check (for_new_accounts in ('accept', 'filter', 'drop')),
  for_private_mentions text not null default 'filter' check (for_private_mentions in ('accept', 'filter', 'drop')),
  for_limited_accounts text not null default 'filter' check (for_limited_accounts in ('accept', 'filter', 'drop')),
  for_bots text not null default 'accept' check (for_bots in ('accept', 'filter', 'drop'))
);

-- Senders whose requests were accepted: the policy no longer applies to them.
create table notification_permissions (
  account_id bigint not null references accounts on delete cascade,
  from_account_id bigint not null references accounts on delete cascade,
  -- Whether filtered notifications of the sender still wait to be listed.
  merging boolean not null,
  created_at timestamptz not null,
  primary key (account_id, from_account_id)
);
create index notification_permissions_from on notification_permissions (from_account_id);
create index notification_permissions_merging on notification_permissions (account_id) where merging;

-- Senders of filtered mentions and quotes.
create table notification_requests (
  account_id bigint not null references accounts on delete cascade,
  -- The id of the notification that opened it. Earlier ones do not count: they belong to a request that was dismissed.
  id bigint not null,
  from_account_id bigint not null references accounts on delete cascade,
  last_status_id bigint references statuses on delete set null,
  -- At most 100.
  notifications_count int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, from_account_id)
);
create index notification_requests_from on notification_requests (from_account_id);
create index notification_requests_status on notification_requests (last_status_id) where last_status_id is not null;

create index notifications_filtered on notifications (account_id, from_account_id, id) where filtered;

-- The requests of what was filtered so far.
insert into notification_requests (account_id, id, from_account_id, last_status_id, notifications_count, created_at, updated_at)
select account_id, min(id), from_account_id, (array_agg(status_id order by id desc))[1], least(count(*), 100),
  min(created_at), max(created_at)
from notifications where filtered and type in ('mention', 'quote')
group by account_id, from_account_id;
