-- Processes that hold leases. Each also holds the session-level advisory lock of its row's key, so that PostgreSQL knows
-- when the process is gone.
create table lease_holders (
  id uuid primary key,
  lock_key int generated always as identity unique,
  beat_at timestamptz not null default now()
);

-- No index: they would make every claim write one more; the leases of a dead process are looked for once.
alter table jobs add column lease_holder uuid;
-- Remote host that the job waits for, if there is one.
alter table jobs add column host text;
alter table deliveries add column lease_holder uuid;

-- Whoever signed the request: for a forwarded activity somebody else than its actor. What one signer sent stays in order.
alter table inbox_activities add column lease_holder uuid;
alter table inbox_activities add column signer_uri text;
alter table inbox_activities add column signer_host text;
update inbox_activities set signer_uri = actor_uri, signer_host = split_part(actor_uri, '/', 3);
alter table inbox_activities alter column signer_uri set not null, alter column signer_host set not null;
drop index inbox_activities_actor;
create index inbox_activities_signer on inbox_activities (signer_uri, id) where exhausted_at is null;
