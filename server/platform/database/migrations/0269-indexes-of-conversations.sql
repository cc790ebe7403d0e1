-- contract
-- The last release finds conversations by it; conversations_uri_digest replaces it.
alter table conversations drop constraint conversations_uri_key;
