-- What staff changed. Written in the transaction of the change, and never changed except to forget deleted accounts.
create table audit_log (
  id bigint primary key,
  -- Null: the command line, or an account that was deleted since.
  staff_id bigint references accounts,
  -- Username of the staff member at the time. Null: the command line.
  staff_name text,
  action text not null,
  target_type text not null,
  target_id text,
  -- What people call the target, such as name@domain, a domain or a hashtag.
  target_label text not null,
  -- The properties that changed, before and after. Null: the target did not exist, or an account was deleted since.
  before jsonb,
  after jsonb,
  created_at timestamptz not null
);
create index audit_log_staff on audit_log (staff_id, id) where staff_id is not null;
create index audit_log_target on audit_log (target_type, target_id, id);
create index audit_log_action on audit_log (action, id);
