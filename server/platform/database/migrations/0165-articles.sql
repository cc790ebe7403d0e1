-- Articles, events and files of other servers, whose statuses have only their title and link.
create table status_articles (
  status_id bigint primary key references statuses on delete cascade,
  type text not null,
  title text not null,
  -- Safe HTML, as content.
  summary text not null,
  content text not null,
  -- Characters of the text of the content.
  length integer not null,
  -- Null: no event.
  event jsonb
);
