-- A browser session calls the API by a token of its own, which ends with it. Its secret is that of the session.
alter table oauth_tokens add column session_id bigint unique references sessions on delete cascade;

insert into oauth_tokens (id, token_hash, user_id, scopes, created_at, last_used_at, session_id)
select id, token_hash, user_id, 'read write follow push profile admin:read admin:write', created_at, last_used_at, id
from sessions
on conflict do nothing;
