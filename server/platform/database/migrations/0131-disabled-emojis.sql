-- Few emojis are disabled, and staff list them.
create index custom_emojis_disabled on custom_emojis (id) where disabled;
