-- Posts are found by exactly their URL: a hash index is 40 % of the size of the old one, 50 bytes less for each post.
create index statuses_url_hash on statuses using hash (url) where url is not null;
drop index statuses_url;
