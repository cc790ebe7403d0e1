-- Claims read the activities in order of their ids. Where PostgreSQL expected an empty table, it preferred this index, and
-- compared all waiting rows with each other.
drop index inbox_activities_due;
