-- What we know of other servers.
create table hosts (
  domain text primary key,
  -- Signature dialect that it is known to take: 'cavage' or 'rfc9421'.
  signature_dialect text not null default 'cavage',
  software text,
  -- Failures of delivery in a row, and until when nothing is sent (circuit breaker).
  failures int not null default 0,
  unavailable_until timestamptz,
  paused_at timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  created_at timestamptz not null default now()
);

create table domain_blocks (
  id bigint primary key,
  domain text not null unique,
  severity text not null check (severity in ('noop', 'silence', 'suspend')),
  reject_media boolean not null default false,
  reject_reports boolean not null default false,
  obfuscate boolean not null default false,
  private_comment text,
  public_comment text,
  created_at timestamptz not null
);

create table domain_allows (
  id bigint primary key,
  domain text not null unique,
  created_at timestamptz not null
);

-- An activity accepted and not yet processed. Its id stays in received_activities.
create table inbox_activities (
  id bigint generated always as identity primary key,
  actor_uri text not null,
  -- Local account of a personal inbox, if it came there.
  inbox_account_id bigint,
  -- Somebody else passed it on: what it is about is fetched from its origin, never believed.
  forwarded boolean not null default false,
  body text not null,
  attempts int not null default 0,
  run_at timestamptz not null,
  leased_until timestamptz,
  last_error text,
  exhausted_at timestamptz
);
create index inbox_activities_due on inbox_activities (run_at) where exhausted_at is null;
create index inbox_activities_actor on inbox_activities (actor_uri, id) where exhausted_at is null;
alter table inbox_activities set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- Ids of activities that were accepted: each is processed once.
create table received_activities (
  uri text primary key,
  received_at timestamptz not null
);
create index received_activities_age on received_activities (received_at);

-- What was deleted before, or after, it was known: a late Create is ignored.
create table tombstones (
  uri text primary key,
  created_at timestamptz not null
);

-- A document on its way to other servers.
create table activities (
  id bigint primary key,
  sender_account_id bigint not null,
  body text not null,
  -- SHA-256 of the body, base64.
  digest text not null,
  -- Further headers (Collection-Synchronization).
  headers jsonb,
  created_at timestamptz not null
);

create table deliveries (
  id bigint generated always as identity primary key,
  activity_id bigint not null references activities on delete cascade,
  host text not null,
  inbox_url text not null,
  -- Deliveries of one key to one inbox keep their order (Create, Update, Delete of one object).
  order_key text,
  attempts int not null default 0,
  run_at timestamptz not null,
  leased_until timestamptz,
  last_error text
);
create index deliveries_due on deliveries (run_at);
create index deliveries_host on deliveries (host, run_at);
create index deliveries_activity on deliveries (activity_id);
create index deliveries_order on deliveries (inbox_url, order_key, id) where order_key is not null;
alter table deliveries set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- Inboxes that answered 404 or 410: nothing is sent there for a while.
create table gone_inboxes (
  url text primary key,
  gone_at timestamptz not null
);
