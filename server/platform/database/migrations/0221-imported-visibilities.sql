-- expand
alter table statuses validate constraint statuses_visibility_check;
