create table custom_emojis (
  id bigint primary key,
  shortcode text not null,
  -- Of the people who may use it; null: of this server.
  domain text,
  -- Storage keys of the picture and its still version; of this server's only.
  image_key text,
  static_key text,
  -- Where the picture of another server's is.
  remote_url text,
  category text,
  visible_in_picker boolean not null default true,
  disabled boolean not null default false,
  created_at timestamptz not null,
  -- When its picture last changed, as its own server says.
  updated_at timestamptz not null,
  unique nulls not distinct (domain, shortcode)
);
