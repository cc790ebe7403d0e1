-- Also found when a deleted status is removed for good: its answers and reblogs are looked up by these.
drop index statuses_replies;
create index statuses_replies on statuses (in_reply_to_id, id) where in_reply_to_id is not null;
drop index statuses_reblogs_of;
create index statuses_reblogs_of on statuses (reblog_of_id, id desc) where reblog_of_id is not null;
