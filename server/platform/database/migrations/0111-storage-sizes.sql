-- What files and caches take, as a schedule measured it last.
create table storage_sizes (
  kind text primary key,
  bytes bigint not null,
  measured_at timestamptz not null
);
