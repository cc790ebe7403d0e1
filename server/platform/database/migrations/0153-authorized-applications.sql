-- When a user first authorized an application. Those that nobody ever authorized are deleted in time.
alter table oauth_applications add column authorized_at timestamptz;
update oauth_applications set authorized_at = tokens.first
from (
  select application_id, min(created_at) as first from oauth_tokens where user_id is not null group by application_id
) tokens
where tokens.application_id = oauth_applications.id;
update oauth_applications set authorized_at = created_at
where authorized_at is null and exists (select from statuses where application_id = oauth_applications.id);

create index oauth_applications_unused on oauth_applications (created_at) where authorized_at is null;
create index oauth_tokens_revoked on oauth_tokens (revoked_at) where revoked_at is not null;
create index oauth_tokens_of_applications on oauth_tokens (last_used_at) where user_id is null;
