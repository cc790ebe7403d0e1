-- The process of a lease holder, so that others on the same machine know at once when it is gone. Null if unknown.
alter table lease_holders add column machine text;
alter table lease_holders add column process_id int;
alter table lease_holders add column process_started text;
