-- expand
-- Links by which the command line signs users in, once.
create table sign_in_links (
  token_hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  expires_at timestamptz not null
);
create index sign_in_links_user_id on sign_in_links (user_id);
