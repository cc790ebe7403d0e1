-- Accounts that staff or their own servers suspended, oldest first: their data is deleted after 30 days.
create index accounts_suspended_since on accounts (suspended_at)
  where suspension_origin in ('local', 'remote') and deleted_at is null;
