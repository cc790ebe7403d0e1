-- ActivityPub id of the Like of a remote account, so that an Undo that has only this id finds the favourite.
alter table favourites add column uri text;
create index favourites_uri on favourites using hash (uri) where uri is not null;
