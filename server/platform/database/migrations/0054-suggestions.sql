-- Suggestions that an account does not want to see again.
create table dismissed_suggestions (
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  created_at timestamptz not null,
  primary key (account_id, target_account_id)
);
create index dismissed_suggestions_target on dismissed_suggestions (target_account_id);

-- Accounts that are suggested to everyone, computed every hour.
create table popular_accounts (
  source text not null check (source in ('most_followed', 'most_interactions')),
  account_id bigint not null references accounts on delete cascade,
  -- Local followers, or accounts that favourited or boosted its posts in the last two days.
  score int not null,
  primary key (source, account_id)
);
create index popular_accounts_account on popular_accounts (account_id);
