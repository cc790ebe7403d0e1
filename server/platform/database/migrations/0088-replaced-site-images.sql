-- Files of site images that staff replaced or reset. They stay served while caches may still name them.
create table replaced_site_images (
  key text primary key,
  replaced_at timestamptz not null
);
