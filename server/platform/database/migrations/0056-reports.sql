create table reports (
  id bigint primary key,
  -- The local instance actor after the account of the reporter was deleted.
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  -- Of a remote reporter, often the instance actor of its server.
  domain text,
  -- Of the Flag activity of a remote reporter.
  uri text,
  category text not null check (category in ('spam', 'legal', 'violation', 'other')),
  comment text not null,
  -- Only with the category violation.
  rule_ids bigint[],
  status_ids bigint[] not null,
  collection_ids bigint[] not null,
  -- Domains of the servers that receive a copy.
  forward_domains text[] not null,
  forwarded boolean not null,
  -- Null: open.
  action_taken_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index reports_account on reports (account_id, created_at);
create index reports_target on reports (target_account_id, id);
create index reports_domain on reports (domain, created_at) where domain is not null;
create index reports_resolved on reports (action_taken_at) where action_taken_at is not null;
create unique index reports_uri on reports (uri, target_account_id) where uri is not null;

-- Copies of the reported posts, which outlive them.
create table reported_statuses (
  report_id bigint not null references reports on delete cascade,
  status_id bigint not null,
  uri text not null,
  url text,
  -- Safe HTML.
  content text not null,
  spoiler_text text not null,
  sensitive boolean not null,
  visibility text not null,
  media_descriptions text[] not null,
  poll_options text[] not null,
  created_at timestamptz not null,
  edited_at timestamptz,
  primary key (report_id, status_id)
);
