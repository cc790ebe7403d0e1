-- Trends that providers of auxiliary services named. subject_id: as in trends.
create table provided_trends (
  provider_id bigint not null references service_providers (id) on delete cascade,
  -- As staff know the provider.
  provider text not null,
  kind text not null check (kind in ('tag', 'status', 'link')),
  subject_id bigint not null,
  -- From 1 to 100, the highest.
  rank smallint not null,
  found_at timestamptz not null,
  primary key (kind, subject_id, provider_id)
);
create index provided_trends_provider_id on provided_trends (provider_id);
