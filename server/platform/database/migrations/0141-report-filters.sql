-- Lists of reports of one category, and of those that a staff member works on, newest first.
create index reports_category on reports (category, id);
create index reports_assigned_in_order on reports (assigned_account_id, id) where assigned_account_id is not null;
drop index reports_assigned;
alter index reports_assigned_in_order rename to reports_assigned;
