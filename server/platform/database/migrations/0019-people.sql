-- Where a remote actor lists the hashtags on its profile, and when its collections (totals, pinned posts, hashtags) were
-- last read.
alter table accounts
  add column featured_tags_url text,
  add column collections_fetched_at timestamptz;

-- Goes with a digest of the sender's followers on the receiving server (FEP-8fcf), which depends on the host.
alter table activities drop column headers;
alter table activities add column tells_followers boolean not null default false;

-- Threads of other servers that were walked for replies, and what of them is still to be looked at.
create table reply_walks (
  status_id bigint primary key,
  started_at timestamptz not null,
  -- Pages of collections that were read.
  pages int not null default 0
);
create table reply_finds (
  status_id bigint not null references reply_walks on delete cascade,
  uri text not null,
  seen boolean not null default false,
  primary key (status_id, uri)
);

-- Notes about an account that moves are carried over.
create index account_notes_target on account_notes (target_account_id, account_id);
