create table announcements (
  id bigint primary key,
  -- As typed.
  text text not null,
  -- Safe HTML.
  content text not null,
  mentioned_ids bigint[] not null,
  tag_names text[] not null,
  -- Public posts that the text links to.
  status_ids bigint[] not null,
  starts_at timestamptz,
  ends_at timestamptz,
  all_day boolean not null,
  scheduled_at timestamptz,
  -- Staff have not published it, or withdrew it.
  draft boolean not null,
  -- Null: it is not visible.
  published_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index announcements_published on announcements (id) where published_at is not null;

create table announcement_dismissals (
  account_id bigint not null references accounts on delete cascade,
  announcement_id bigint not null references announcements on delete cascade,
  primary key (account_id, announcement_id)
);
create index announcement_dismissals_announcement on announcement_dismissals (announcement_id);

-- How many accounts reacted with each emoji. Without a row, none did.
create table announcement_reaction_counts (
  announcement_id bigint not null references announcements on delete cascade,
  name text not null,
  custom_emoji_id bigint references custom_emojis on delete cascade,
  count int not null,
  created_at timestamptz not null,
  primary key (announcement_id, name)
);
create index announcement_reaction_counts_emoji on announcement_reaction_counts (custom_emoji_id)
  where custom_emoji_id is not null;

create table announcement_reactions (
  account_id bigint not null references accounts on delete cascade,
  announcement_id bigint not null,
  name text not null,
  primary key (account_id, announcement_id, name),
  foreign key (announcement_id, name) references announcement_reaction_counts on delete cascade
);
create index announcement_reactions_name on announcement_reactions (announcement_id, name);
