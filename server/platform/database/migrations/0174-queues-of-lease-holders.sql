-- The queues whose work a process does. Null: all.
alter table lease_holders add column queues text[];
