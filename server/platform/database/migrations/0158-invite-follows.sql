-- Whom people follow who sign up with an invite: the user who invites, and the accounts of a collection.
alter table invites add column autofollow boolean not null default false;
alter table invites add column collection_id bigint references collections (id) on delete set null;
create index invites_collection on invites (collection_id) where collection_id is not null;

-- Whether the user wants to follow the accounts of the collection of the invite.
alter table users add column follows_collection boolean not null default false;
