-- What the handling of a received activity, and of the jobs it caused, has asked of other hosts so far.
create table fetch_budgets (
  id bigint primary key,
  requests int not null default 0,
  -- Time during which at least one request was under way.
  milliseconds int not null default 0,
  started_at timestamptz not null
);
create index fetch_budgets_started on fetch_budgets (started_at);
alter table jobs add column fetch_budget_id bigint;
alter table inbox_activities add column fetch_budget_id bigint;
