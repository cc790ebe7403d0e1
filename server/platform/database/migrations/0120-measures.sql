-- Active users by the day and by the day on which they were active before, which makes the number of different users of
-- any period a sum. -infinity: never before.
create table active_user_counts (
  day date not null,
  previous_day date not null,
  number int not null,
  primary key (day, previous_day)
);
-- The earlier days of a user are unknown: each user counts once, on the last day.
insert into active_user_counts (day, previous_day, number)
select (last_active_at at time zone 'UTC')::date, '-infinity', count(*)
from users where last_active_at is not null group by 1;

-- What the measures of the dashboard add up, by the day in UTC. Schedules count it again and again from the rows.
create table daily_counts (
  kind text collate "C" not null,
  -- A domain (empty: local), an application, a language or a day, by the kind.
  key text collate "C" not null,
  day date not null,
  part text collate "C" not null,
  value bigint not null,
  primary key (kind, key, day, part)
);
create index daily_counts_day on daily_counts (kind, day, key) include (value);

-- Uses of hashtags in public and unlisted posts, by the day, and by account, domain or language.
create table tag_daily_uses (
  tag_id bigint not null,
  dimension text collate "C" not null check (dimension in ('account', 'domain', 'language')),
  day date not null,
  part text collate "C" not null,
  uses int not null,
  primary key (tag_id, dimension, day, part)
);
create index tag_daily_uses_day on tag_daily_uses (day);

-- The accounts of each domain with the most local followers.
create table domain_top_accounts (
  -- Empty: local.
  domain text collate "C" not null,
  account_id bigint not null,
  followers int not null,
  primary key (domain, account_id)
);

-- How far the schedule that counts past days is; day is the one that was counted last.
create table recount_progress (
  name text primary key,
  day date not null,
  -- All days were counted at least once.
  is_complete boolean not null
);
