-- expand
-- Usernames that staff block for sign-ups and groups.
create table username_blocks (
  id bigint primary key,
  -- In lower case.
  username text not null,
  -- With letters in place of digits that look like them.
  normalized_username text not null,
  -- Only this name, not those that contain it.
  exact boolean not null,
  -- Sign-ups are not refused, but wait for approval.
  allow_with_approval boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index username_blocks_username on username_blocks (username);

-- Names that could be mistaken for the staff of the server. Staff may remove them.
insert into username_blocks (id, username, normalized_username, exact, allow_with_approval, created_at, updated_at)
select id, username, username, true, false, now(), now()
from unnest(array['abuse', 'account', 'accounts', 'admin', 'administrator', 'contact', 'fieldfare', 'help', 'host',
  'hostmaster', 'info', 'instance', 'mail', 'mod', 'moderation', 'moderator', 'moderators', 'nobody', 'official', 'owner',
  'postmaster', 'report', 'root', 'security', 'server', 'staff', 'support', 'system', 'webmaster'])
  with ordinality as name (username, id);
