-- What silenced or suspended an account: staff themselves (local), its own server (remote), or the block of its domain
-- (domain), which undoes only what it did.
alter table accounts drop constraint accounts_suspension_origin_check;
alter table accounts add constraint accounts_suspension_origin_check
  check (suspension_origin in ('local', 'remote', 'domain')) not valid;
alter table accounts add column silence_origin text check (silence_origin in ('local', 'domain'));
