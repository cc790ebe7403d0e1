-- What providers want to be notified of (data_sharing).
create table service_provider_subscriptions (
  id bigint primary key,
  provider_id bigint not null references service_providers (id) on delete cascade,
  category text not null check (category in ('content', 'account')),
  max_batch_size integer not null,
  created_at timestamptz not null
);
create index service_provider_subscriptions_provider_id on service_provider_subscriptions (provider_id);

-- Events that wait to be sent. subject_id: a status or an account.
create table service_provider_announcements (
  id bigint primary key,
  subscription_id bigint not null references service_provider_subscriptions (id) on delete cascade,
  event_type text not null check (event_type in ('new', 'update', 'delete')),
  subject_id bigint not null,
  created_at timestamptz not null
);
create index service_provider_announcements_subscription_id on service_provider_announcements (subscription_id, id);

-- Requests of providers for older posts and accounts.
create table service_provider_backfills (
  id bigint primary key,
  provider_id bigint not null references service_providers (id) on delete cascade,
  category text not null check (category in ('content', 'account')),
  max_count integer not null,
  -- The ids below it were not sent yet.
  cursor bigint not null,
  -- running: objects are to be sent; waiting: for the provider to ask for more; done: there are no more.
  state text not null check (state in ('running', 'waiting', 'done')),
  created_at timestamptz not null
);
create index service_provider_backfills_provider_id on service_provider_backfills (provider_id);
