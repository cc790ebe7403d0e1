-- Ranks an account among others of a similar name. The schedule that keeps it up to date fills existing rows in batches.
alter table accounts add column popularity real not null default 0;
