-- Accounts that providers found for a search. The key of a search is that of its refresh.
create table service_provider_results (
  provider_id bigint not null references service_providers (id) on delete cascade,
  search_key text not null,
  account_id bigint not null references accounts (id) on delete cascade,
  -- As the provider ranks it.
  place integer not null,
  found_at timestamptz not null,
  primary key (search_key, account_id, provider_id)
);
create index service_provider_results_found_at on service_provider_results (found_at);
create index service_provider_results_account_id on service_provider_results (account_id);

-- Accounts that providers recommend to a local account.
create table service_provider_recommendations (
  provider_id bigint not null references service_providers (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  place integer not null,
  found_at timestamptz not null,
  primary key (account_id, target_account_id, provider_id)
);
create index service_provider_recommendations_target_account_id on service_provider_recommendations (target_account_id);

-- When providers were asked for recommendations last.
create table service_provider_requests (
  account_id bigint primary key references accounts (id) on delete cascade,
  requested_at timestamptz not null
);
