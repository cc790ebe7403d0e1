-- Follows that an account lost at once by the block of a domain or the suspension of an account.
create table relationship_severances (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  type text not null check (type in ('domain_block', 'user_domain_block', 'account_suspension')),
  -- The domain, or the address of the account.
  target_name text not null,
  -- The block or the event behind it: one row for each account and cause, even if its job runs twice.
  cause_id bigint not null,
  followers_count int not null,
  following_count int not null,
  created_at timestamptz not null,
  unique (account_id, cause_id)
);

-- Decisions of staff about an account, as its user is told of them.
create table account_warnings (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  -- Null: the command line.
  staff_id bigint references accounts on delete set null,
  action text not null check (action in (
    'none', 'disable', 'mark_statuses_as_sensitive', 'delete_statuses', 'sensitive', 'silence', 'suspend')),
  text text not null default '',
  -- The statuses that it is about. Null: the account as a whole.
  status_ids bigint[],
  created_at timestamptz not null
);
create index account_warnings_account on account_warnings (account_id);
create index account_warnings_staff on account_warnings (staff_id) where staff_id is not null;

-- What a notification is about other than statuses and collections; its type says which table.
alter table notifications add column subject_id bigint;
create unique index notifications_subject_once on notifications (account_id, type, subject_id) where subject_id is not null;
create unique index notifications_sign_up_once on notifications (account_id, from_account_id) where type = 'admin.sign_up';
