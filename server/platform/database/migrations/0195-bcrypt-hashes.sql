-- expand, no transaction
-- Users whose password is hashed as Mastodon does: found at each sign-in, and few.
create index concurrently if not exists users_bcrypt on users (id) where password_hash like '$2%';
