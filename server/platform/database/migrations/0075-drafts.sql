create table drafts (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  -- Raised by each change.
  version int not null,
  -- The parameters of each post, as `ThreadPost`.
  posts jsonb not null,
  -- May be deleted before the draft is published.
  in_reply_to_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index drafts_account on drafts (account_id, id);

-- The draft that holds a file, so that it is not cleaned up.
alter table media_attachments add column draft_id bigint;
create index media_attachments_draft on media_attachments (draft_id) where draft_id is not null;
