-- Nothing reads or writes it: the last use of a hashtag is that of its newest status.
alter table tags drop column last_status_at;
