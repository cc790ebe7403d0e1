create table annual_reports (
  account_id bigint not null references accounts on delete cascade,
  year int not null,
  -- Form of the data.
  schema_version int not null,
  data jsonb not null,
  -- Whoever knows it can see the report.
  share_key text not null,
  -- Null: the account has not seen it.
  viewed_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, year)
);
