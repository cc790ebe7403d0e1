create extension if not exists pg_trgm;

-- Work to be done once, at least: rows are claimed in batches with a lease, deleted when done.
create table jobs (
  id bigint generated always as identity primary key,
  queue text not null,
  name text not null,
  data jsonb not null,
  -- Jobs of one key run one at a time, in order.
  key text,
  attempts int not null default 0,
  run_at timestamptz not null,
  leased_until timestamptz,
  created_at timestamptz not null default now(),
  last_error text,
  -- Set when it was tried often enough; staff retry or drop it.
  exhausted_at timestamptz
);
create index jobs_due on jobs (queue, run_at) where exhausted_at is null;
create index jobs_key on jobs (key, id) where key is not null and exhausted_at is null;
alter table jobs set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- One row for each run of a schedule, so that many processes run it once.
create table schedule_slots (
  schedule text not null,
  slot timestamptz not null,
  primary key (schedule, slot)
);

-- Settings that staff change while the server runs; they win over the environment.
create table site_settings (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

create table rules (
  id bigint generated always as identity primary key,
  position int not null default 0,
  text text not null,
  hint text not null default '',
  deleted_at timestamptz
);
