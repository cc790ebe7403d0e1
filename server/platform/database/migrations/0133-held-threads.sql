-- Threads are held and decided as a whole. Null: a single post.
alter table held_posts add column thread_id bigint;
create index held_posts_thread on held_posts (thread_id) where thread_id is not null;

-- When staff were mailed about it.
alter table held_posts add column mailed_at timestamptz;
create index held_posts_not_mailed on held_posts (id) where state = 'pending' and mailed_at is null;

-- When staff were last mailed about something that they are not mailed about each time.
create table staff_mail_times (
  kind text primary key,
  mailed_at timestamptz not null
);
