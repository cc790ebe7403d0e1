-- What a translation service answered, for a day.
create table translations (
  -- Digest of the texts, the languages and the service.
  key text primary key,
  -- Texts in the order asked, and the language that they were in: as they came, not made safe.
  answer jsonb not null,
  created_at timestamptz not null
);
create index translations_age on translations (created_at);
