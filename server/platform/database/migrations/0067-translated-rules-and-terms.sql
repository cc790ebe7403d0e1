create table rule_translations (
  rule_id bigint not null references rules on delete cascade,
  language text not null,
  text text not null,
  hint text not null,
  primary key (rule_id, language)
);

alter table terms_of_service
  -- What changed, as plain text.
  add column changelog text not null default '',
  add column published_at timestamptz,
  -- When users were notified by mail.
  add column notified_at timestamptz;
update terms_of_service set published_at = updated_at;
alter table terms_of_service alter column published_at set not null;

-- The next version, at most one, until staff publish it.
create table terms_of_service_drafts (
  id boolean primary key default true check (id),
  -- Safe HTML.
  content text not null,
  changelog text not null,
  -- Null: the day of its publication.
  effective_date date,
  updated_at timestamptz not null
);

-- How far the mails about a version of the terms of service are.
create table terms_notices (
  effective_date date not null,
  announced_at timestamptz not null,
  -- Users up to this one were notified.
  last_user_id bigint not null,
  primary key (effective_date, announced_at)
);
