-- Indexes for the lists of staff.

create index invites_of_user on invites (user_id, id);
drop index invites_user;

create index custom_emojis_of_domain on custom_emojis (domain, id);
create index custom_emojis_shortcode on custom_emojis (lower(shortcode) text_pattern_ops);
