-- Who may quote a post: for the first four bits at once, for the next four after asking its author. 1: others than those
-- whom we can tell, 2: everybody, 4: followers of the author, 8: whom the author follows. 0: nobody but the author.
alter table statuses add column quote_policy smallint not null default 0;

create table quotes (
  id bigint primary key,
  -- The post that quotes.
  status_id bigint not null unique references statuses on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  -- Null: not known here (yet), or gone for good.
  quoted_status_id bigint references statuses on delete set null,
  quoted_account_id bigint references accounts on delete set null,
  -- The ActivityPub id of the quoted post.
  quoted_uri text not null,
  state text not null check (state in ('pending', 'accepted', 'rejected', 'revoked', 'deleted')),
  -- Made by a server that knows no approval: shown only when people quote themselves.
  legacy boolean not null default false,
  -- The QuoteAuthorization by which another server granted it; ours are named by the id of the row.
  approval_uri text,
  created_at timestamptz not null
);
create index quotes_of on quotes (quoted_status_id, id desc) where quoted_status_id is not null;
create index quotes_account on quotes (account_id);
create index quotes_quoted_account on quotes (quoted_account_id) where quoted_account_id is not null;
create index quotes_approval on quotes (approval_uri) where approval_uri is not null;

-- The quote that a version had.
alter table status_edits add column quote_id bigint;
