-- Claims, new deliveries and the expiry read which hosts are paused, in every statement. There are few.
create index hosts_paused on hosts (domain) where paused_at is not null;
