-- When a role starts to require a second factor; null: it does so at once.
alter table roles add column require_two_factor_from timestamptz,
  -- The start that users were told by mail.
  add column two_factor_announced_from timestamptz;
-- Owners are above everyone and have every permission, whoever changes roles.
update roles set position = 999 where id <> 3 and position > 999;
update roles set position = 1000, permissions = 1 where id = 3;
alter table roles add constraint roles_owner_fixed check (id <> 3 or (position = 1000 and permissions = 1)),
  add constraint roles_below_owner check (id = 3 or position < 1000);
