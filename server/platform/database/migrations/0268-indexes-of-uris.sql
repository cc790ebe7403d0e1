-- contract
-- The last release finds posts by these indexes; statuses_uri_digest and statuses_thread replace them.
alter table statuses drop constraint statuses_uri_key;
drop index statuses_conversation;
-- The public timeline merges those of local and of remote posts.
drop index statuses_public;
