-- Which accounts used a hashtag, shared a link, or favourited or boosted a post, by the hour. Rows are deleted after two
-- days, so accounts need no foreign key, which would lock their rows.
create table trend_uses (
  kind text not null check (kind in ('tag', 'status', 'link')),
  -- The hashtag, the status or the card.
  subject_id bigint not null,
  -- Hours since the epoch.
  hour int not null,
  account_id bigint not null,
  -- Of the post that used it.
  language text,
  primary key (kind, subject_id, hour, account_id)
);
create index trend_uses_hour on trend_uses (kind, hour, subject_id);

-- What trends now, reviewed or not.
create table trends (
  kind text not null check (kind in ('tag', 'status', 'link')),
  subject_id bigint not null,
  language text,
  -- The score decays from its peak.
  peak_score double precision not null,
  peak_at timestamptz not null,
  score double precision not null,
  primary key (kind, subject_id)
);
create index trends_score on trends (kind, score desc);

-- The decisions of staff. trendable is null until the first one. Staff are asked for a review once.
alter table tags add column requested_review_at timestamptz;

create table status_reviews (
  status_id bigint primary key references statuses on delete cascade,
  trendable boolean,
  reviewed_at timestamptz,
  requested_review_at timestamptz
);

-- The websites that links lead to.
create table link_publishers (
  -- The API sends it as a JSON number, so it is a small one.
  id bigint generated always as identity primary key,
  domain text not null unique,
  trendable boolean,
  reviewed_at timestamptz,
  requested_review_at timestamptz
);

create table link_reviews (
  -- As above.
  id bigint generated always as identity primary key,
  card_id bigint not null unique references preview_cards on delete cascade,
  domain text not null,
  trendable boolean,
  reviewed_at timestamptz,
  requested_review_at timestamptz
);
