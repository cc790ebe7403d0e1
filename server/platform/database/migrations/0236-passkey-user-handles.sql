-- expand
-- The handle of the user that the authenticator stored with another software; null: the id of the user.
alter table passkeys add column user_handle bytea;
