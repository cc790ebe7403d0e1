-- expand
-- Which migrations removed what older versions need. Databases keep the kind, because older versions lack the files.
alter table migrations add column kind text not null default 'expand';

-- The version of a process, and the contract migrations it knows. Null: a version from before there were any.
alter table lease_holders add column version text;
alter table lease_holders add column contracts text[];
