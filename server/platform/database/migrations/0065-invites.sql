-- Links by which people may sign up although registrations are not open.
create table invites (
  id bigint primary key,
  code text not null unique,
  -- The user who invites.
  user_id bigint not null references users on delete cascade,
  -- Null: any number.
  max_uses int check (max_uses > 0),
  uses int not null default 0,
  -- Null: never.
  expires_at timestamptz,
  -- For staff.
  comment text,
  created_at timestamptz not null
);

create index invites_user on invites (user_id);

-- The invite that a user signed up with.
alter table users add column invite_id bigint references invites on delete set null;

create index users_invite on users (invite_id) where invite_id is not null;
