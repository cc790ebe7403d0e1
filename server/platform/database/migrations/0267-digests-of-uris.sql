-- expand, no transaction
-- Posts and conversations are found by a digest of their uri: an entry of the index takes 40 bytes instead of 100.
drop index concurrently if exists statuses_uri_digest;
create unique index concurrently statuses_uri_digest on statuses ((md5(uri)::uuid));
drop index concurrently if exists conversations_uri_digest;
create unique index concurrently conversations_uri_digest on conversations ((md5(uri)::uuid)) where uri is not null;
-- Also of deleted posts, so that a conversation without posts is found and deleted; without boosts, which have none.
drop index concurrently if exists statuses_thread;
create index concurrently statuses_thread on statuses (conversation_id, id) where conversation_id is not null;
