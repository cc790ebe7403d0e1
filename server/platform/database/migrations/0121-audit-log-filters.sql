-- One index for each filter of the list, in the order of its pages.
create index audit_log_target_type on audit_log (target_type, id);
create index audit_log_target_id on audit_log (target_id, id) where target_id is not null;
drop index audit_log_target;
