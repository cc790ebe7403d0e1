-- What a page that posts link to says about itself: one row a page.
create table preview_cards (
  id bigint primary key,
  -- Where the page was found, after redirects; normalised.
  url text not null unique,
  type text not null check (type in ('link', 'photo', 'video', 'rich')),
  -- Trends count articles only.
  link_type text not null check (link_type in ('article', 'unknown')),
  title text not null,
  description text not null default '',
  author_name text not null default '',
  author_url text not null default '',
  provider_name text not null default '',
  provider_url text not null default '',
  -- A sandboxed player made here, or nothing.
  html text not null default '',
  embed_url text not null default '',
  width int not null default 0,
  height int not null default 0,
  image_url text,
  image_description text not null default '',
  language text,
  published_at timestamptz,
  -- Handle that the page names as its author (fediverse:creator), in lower case, and the account if it is known here.
  creator text,
  creator_account_id bigint references accounts on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index preview_cards_creator on preview_cards (creator_account_id) where creator_account_id is not null;

-- Every address that posts linked to: when it is read again, and the page that it led to.
create table card_links (
  url text primary key,
  card_id bigint references preview_cards on delete cascade,
  read_at timestamptz not null,
  next_read_at timestamptz not null,
  -- Tries in a row that the host did not answer; more are made before it is given up.
  failures int not null default 0
);
create index card_links_card on card_links (card_id) where card_id is not null;

create table status_cards (
  status_id bigint primary key references statuses on delete cascade,
  card_id bigint not null references preview_cards on delete cascade,
  -- As the post links to it.
  url text not null
);
create index status_cards_card on status_cards (card_id, status_id desc);
