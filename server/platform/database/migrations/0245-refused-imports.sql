-- expand
-- Posts of an archive that moderation rules refused.
alter table post_imports add column refused int not null default 0;
