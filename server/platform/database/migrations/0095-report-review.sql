-- The staff member who works on it.
alter table reports add column assigned_account_id bigint references accounts;
create index reports_unresolved on reports (id) where action_taken_at is null;
create index reports_assigned on reports (assigned_account_id) where assigned_account_id is not null;
drop index reports_account;
create index reports_account on reports (account_id, id);

-- What staff write down about a report.
create table report_notes (
  id bigint primary key,
  report_id bigint not null references reports on delete cascade,
  -- Null: the command line, or an account that was deleted since.
  account_id bigint references accounts,
  content text not null,
  created_at timestamptz not null
);
create index report_notes_report on report_notes (report_id, id);
create index report_notes_account on report_notes (account_id) where account_id is not null;
