-- Streams look up who has the author of a status in an exclusive list.
create index list_accounts_exclusive_member on list_accounts (account_id, owner_id) where exclusive;
