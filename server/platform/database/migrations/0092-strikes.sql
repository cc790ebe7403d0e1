-- What staff decide about accounts: strikes that can be appealed, texts for them, and notes.

alter table account_warnings
  -- The report that it answers.
  add column report_id bigint references reports on delete set null,
  -- Whether it changed the state of the account. An appeal undoes only what the decision changed.
  add column effective boolean not null default true,
  -- Statuses that it marked as sensitive, which were not before.
  add column changed_status_ids bigint[] not null default '{}',
  -- When staff lifted what it changed, or approved the appeal.
  add column lifted_at timestamptz;
drop index account_warnings_account;
create index account_warnings_account on account_warnings (account_id, id);
create index account_warnings_report on account_warnings (report_id) where report_id is not null;

create table appeals (
  id bigint primary key,
  -- A decision is appealed once.
  warning_id bigint not null unique references account_warnings on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  text text not null,
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected')),
  -- Null: pending, the command line, or an account that was deleted since.
  decided_by_account_id bigint references accounts on delete set null,
  decided_at timestamptz,
  created_at timestamptz not null
);
create index appeals_state on appeals (state, id);
create index appeals_account on appeals (account_id);
create index appeals_decided_by on appeals (decided_by_account_id) where decided_by_account_id is not null;

-- Texts that staff reuse in decisions.
create table warning_presets (
  id bigint primary key,
  title text not null,
  text text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- Notes of staff about an account, for staff only.
create table account_moderation_notes (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  -- Null: the command line, or an account that was deleted since.
  staff_id bigint references accounts on delete set null,
  content text not null,
  created_at timestamptz not null
);
create index account_moderation_notes_account on account_moderation_notes (account_id, id);
create index account_moderation_notes_staff on account_moderation_notes (staff_id) where staff_id is not null;

-- Who resolved a report. Null: open, the command line, or an account that was deleted since.
alter table reports add column action_taken_by_account_id bigint references accounts on delete set null;
create index reports_resolved_by on reports (action_taken_by_account_id) where action_taken_by_account_id is not null;
create index reports_open on reports (target_account_id) where action_taken_at is null;

-- The filters of the list of accounts for staff.
create index accounts_local on accounts (id) where domain is null;
create index accounts_silenced on accounts (id) where silenced_at is not null;
create index accounts_sensitized on accounts (id) where sensitized_at is not null;
create index accounts_username_prefix on accounts (lower(username) text_pattern_ops);
create index accounts_display_name_prefix on accounts (lower(left(display_name, 64)) text_pattern_ops) where display_name <> '';
create index users_pending on users (account_id) where not approved;
create index users_disabled on users (account_id) where disabled;
create index users_email_parts on users using gin (lower(email) gin_trgm_ops);
