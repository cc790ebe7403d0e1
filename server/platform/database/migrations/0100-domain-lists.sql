-- Lists of domain blocks that others maintain.
create table domain_lists (
  id bigint primary key,
  -- Address of a CSV file in the format of Mastodon's exports.
  url text not null unique,
  -- Whether changes of the list are applied without staff.
  automatic boolean not null,
  created_at timestamptz not null,
  -- Null: not fetched yet.
  fetched_at timestamptz,
  next_fetch_at timestamptz not null,
  failures int not null default 0,
  -- Why the last version could not be fetched, or was not applied.
  last_error text
);
create index domain_lists_due on domain_lists (next_fetch_at);

create table domain_list_entries (
  list_id bigint not null references domain_lists on delete cascade,
  domain text not null,
  severity text not null check (severity in ('noop', 'silence', 'suspend')),
  reject_media boolean not null,
  reject_reports boolean not null,
  obfuscate boolean not null,
  public_comment text,
  -- Whether the last version of the list has it.
  listed boolean not null,
  -- Staff decided against it.
  excepted boolean not null default false,
  -- The block that was created for it. Null: none was.
  block_id bigint,
  -- What was applied. A block that differs was changed by staff, and stays.
  applied_severity text,
  applied_reject_media boolean,
  applied_reject_reports boolean,
  primary key (list_id, domain)
);
create index domain_list_entries_domain on domain_list_entries (domain);
