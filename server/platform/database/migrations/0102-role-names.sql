-- The command line names roles; the role of every user has none.
create unique index roles_name on roles (lower(name)) where name <> '';
