-- The follows behind the numbers of relationship_severances, for download.
create table severed_follows (
  severance_id bigint not null references relationship_severances on delete cascade,
  -- The account on the other side.
  account_id bigint not null references accounts on delete cascade,
  -- Whether that account was the follower.
  is_follower boolean not null,
  show_reblogs boolean not null,
  notify boolean not null,
  -- Null: all languages.
  languages text[],
  primary key (severance_id, is_follower, account_id)
);
create index severed_follows_account on severed_follows (account_id);

-- Severances from before stored only numbers.
alter table relationship_severances add column purged boolean not null default false;
update relationship_severances set purged = true;
create index relationship_severances_account on relationship_severances (account_id, id);
