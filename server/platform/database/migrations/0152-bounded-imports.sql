-- The number of lines that failed. Only 100 of them are kept with each import, and only 20 finished imports of each account.
alter table imports add column failed int not null default 0;

delete from imports where id in (
  select id from (
    select id, row_number() over (partition by account_id order by id desc) as place from imports where state = 'finished'
  ) finished where place > 20
);
update imports set failed = failures.count
from (select import_id, count(*) as count from import_rows where problem is not null group by import_id) failures
where failures.import_id = imports.id;
delete from import_rows using (
  select import_id, line, row_number() over (partition by import_id order by line) as place
  from import_rows where problem is not null
) failures
where failures.import_id = import_rows.import_id and failures.line = import_rows.line and failures.place > 100;
delete from import_rows using imports
where imports.id = import_rows.import_id and imports.state = 'finished' and import_rows.problem is null;
