-- Posts that only accounts of this server get: the same audience, local. Validated by the next migration, without a lock.
alter table statuses drop constraint statuses_visibility_check;
alter table statuses add constraint statuses_visibility_check check (visibility in
  ('public', 'unlisted', 'private', 'direct', 'local_public', 'local_unlisted', 'local_private')) not valid;
