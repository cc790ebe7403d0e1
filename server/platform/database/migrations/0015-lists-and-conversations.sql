-- Lists of followed accounts; each is a timeline of its own.
create table lists (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  title text not null,
  replies_policy text not null check (replies_policy in ('followed', 'list', 'none')),
  -- The members' posts are in this timeline instead of the owner's home.
  exclusive boolean not null,
  created_at timestamptz not null,
  unique (id, account_id, exclusive)
);
create index lists_account on lists (account_id, id);

create table list_accounts (
  id bigint primary key,
  list_id bigint not null,
  -- The member.
  account_id bigint not null references accounts on delete cascade,
  -- Of the list, kept equal by the key below: one index then tells whom a home leaves out.
  owner_id bigint not null,
  exclusive boolean not null,
  unique (list_id, account_id),
  foreign key (list_id, owner_id, exclusive) references lists (id, account_id, exclusive)
    on update cascade on delete cascade
);
create index list_accounts_page on list_accounts (list_id, id desc);
create index list_accounts_member on list_accounts (account_id, owner_id);
create index list_accounts_exclusive on list_accounts (owner_id, account_id) where exclusive;

-- Direct posts as someone lists them: one row for each conversation and set of others who take part.
create table account_conversations (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  conversation_id bigint not null references conversations on delete cascade,
  -- The others, in ascending order; empty for notes to oneself.
  participant_ids bigint[] not null,
  -- Its posts, in ascending order.
  status_ids bigint[] not null,
  -- The last of them.
  last_status_id bigint not null,
  unread boolean not null,
  -- Grows with each change, so that nobody writes over what they did not see.
  lock_version int not null default 0,
  unique (account_id, conversation_id, participant_ids)
);
create index account_conversations_page on account_conversations (account_id, last_status_id desc);
create index account_conversations_conversation on account_conversations (conversation_id);
