-- expand
-- Id of the last Follow of a relay, if the software before the server moved here assigned it; null if `follow_id` is in it.
alter table relays add column follow_uri text;
