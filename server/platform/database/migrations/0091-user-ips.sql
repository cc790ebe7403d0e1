-- The addresses from which a user signed in or used a token, for staff. Deleted after a year.
create table user_ips (
  user_id bigint not null references users on delete cascade,
  ip inet not null,
  -- To the day.
  used_at timestamptz not null,
  primary key (user_id, ip)
);
create index user_ips_ip on user_ips using gist (ip inet_ops);
create index user_ips_used on user_ips (used_at);

insert into user_ips (user_id, ip, used_at)
select user_id, ip, max(used_at) from (
  select id, sign_up_ip, created_at from users where sign_up_ip is not null
  union all
  select user_id, ip, last_used_at from sessions where ip is not null
) known (user_id, ip, used_at)
group by user_id, ip;
