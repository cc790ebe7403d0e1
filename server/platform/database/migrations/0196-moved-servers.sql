-- expand
-- Short codes of attachments that Mastodon used in the addresses of their pages.
create table media_shortcodes (
  shortcode text collate "C" primary key,
  media_id bigint not null references media_attachments (id) on delete cascade
);
create index media_shortcodes_media_id on media_shortcodes (media_id);

-- Set for a user whose second factor could not be taken over from another software, until there is a new one.
alter table users add column lost_second_factor boolean not null default false;
