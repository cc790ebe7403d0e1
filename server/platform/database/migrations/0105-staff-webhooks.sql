-- Webhooks of staff have no owner: they send events of the whole server, as those of Mastodon.
alter table webhooks
  alter column account_id drop not null,
  alter column token_id drop not null,
  -- The body, with variables such as {{object.id}}; null: the whole event.
  add column template text,
  add check ((account_id is null) = (token_id is null)),
  add check (template is null or account_id is null);

create index webhooks_of_staff on webhooks (id) where account_id is null;
