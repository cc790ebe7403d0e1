-- A claim updates each delivery once. With room in its page, PostgreSQL does not change the indexes.
alter table deliveries set (fillfactor = 50);
