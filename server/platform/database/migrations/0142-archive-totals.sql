-- Posts and boosts of the account when the archive was begun.
alter table archives add column posts_total int;
