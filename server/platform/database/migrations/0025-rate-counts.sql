-- Requests that count against a budget, for several processes without Valkey. Unlogged: after a crash budgets begin anew.
create unlogged table rate_counts (
  -- Hash of whose requests and which budget: addresses and names do not stay in the database.
  key text not null,
  -- End of the window.
  ends_at timestamptz not null,
  count int not null,
  primary key (key, ends_at)
) with (fillfactor = 50);
create index rate_counts_ends_at on rate_counts (ends_at);
