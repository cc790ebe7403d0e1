-- What another server says of who may put an account into a collection (FEP-7aa9), as names of audiences; both null when
-- it does not say. Accounts of this server follow their own settings.
alter table accounts
  add column feature_automatic text[],
  add column feature_manual text[],
  -- The list of its own collections.
  add column featured_collections_url text;

-- Accounts that somebody recommends, put together under a name.
create table collections (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  local boolean not null,
  uri text not null unique,
  -- The page for people.
  url text,
  name text not null,
  -- Plain text (local) or safe HTML (of another server).
  description text not null,
  language text,
  tag_id bigint references tags on delete set null,
  sensitive boolean not null,
  discoverable boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index collections_account on collections (account_id, id desc);
create index collections_url on collections (url) where url is not null;
create index collections_tag on collections (tag_id) where tag_id is not null;

create table collection_items (
  id bigint primary key,
  collection_id bigint not null references collections on delete cascade,
  -- Null while the actor of an item of another server is not known here.
  account_id bigint references accounts on delete cascade,
  -- Id of the featured actor.
  object_uri text not null,
  state text not null check (state in ('pending', 'accepted', 'rejected', 'revoked')),
  place int not null,
  -- Null while only the consent of a local account is known, not yet the item of the other server.
  uri text unique,
  -- Id of the FeatureRequest, when another server is or was asked, or asks.
  request_uri text unique,
  -- The stamp by which the featured actor's server says that it agreed.
  approval_uri text,
  created_at timestamptz not null,
  unique (collection_id, account_id)
);
create index collection_items_collection on collection_items (collection_id, place, id);
create index collection_items_account on collection_items (account_id, collection_id desc) where state = 'accepted';
create index collection_items_approval on collection_items (approval_uri) where approval_uri is not null;

-- Collections that a post links to.
create table tagged_collections (
  status_id bigint not null references statuses on delete cascade,
  collection_id bigint not null references collections on delete cascade,
  primary key (status_id, collection_id)
);
create index tagged_collections_collection on tagged_collections (collection_id);

alter table notifications add column collection_id bigint references collections on delete cascade;
create index notifications_collection on notifications (collection_id) where collection_id is not null;
create unique index notifications_added_once on notifications (account_id, collection_id) where type = 'added_to_collection';
