-- Images of the site that staff chose. Without a row, the bundled one is used.
create table site_images (
  name text primary key check (name in ('thumbnail', 'icon')),
  -- Storage keys by version (@1x, @2x) or size (192x192).
  files jsonb not null,
  blurhash text not null,
  -- Alternative text.
  description text not null,
  updated_at timestamptz not null
);
