-- expand, no transaction
-- The most popular accounts whose username begins with two or three letters. Limited accounts are found otherwise.
create index concurrently if not exists accounts_two_letters on accounts (left(lower(username), 2), popularity desc, id)
  where suspended_at is null and deleted_at is null and activated and moved_to_account_id is null and silenced_at is null;
create index concurrently if not exists accounts_three_letters on accounts (left(lower(username), 3), popularity desc, id)
  where suspended_at is null and deleted_at is null and activated and moved_to_account_id is null and silenced_at is null;
