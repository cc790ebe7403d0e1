-- Mails to staff have a kind, which each member can turn off. Mails about reports are such mails.
update jobs set data = data || '{"kind": "trends"}' where name = 'user.send_staff_mail';

with mails as (delete from jobs where name = 'report.send_mail' returning data)
insert into jobs (queue, name, data, run_at)
select distinct 'default', 'report.mail_staff', jsonb_build_object('reportId', data -> 'reportId'), now() from mails;
