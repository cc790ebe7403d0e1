-- Device authorization requests (RFC 8628): a device polls with its code until a user decides.
create table oauth_device_requests (
  device_code_hash bytea primary key,
  -- Without the hyphen.
  user_code text not null unique,
  application_id bigint not null references oauth_applications on delete cascade,
  scopes text not null,
  -- Who decided; null: nobody yet.
  user_id bigint references users on delete cascade,
  approved boolean,
  interval_seconds integer not null,
  last_polled_at timestamptz,
  expires_at timestamptz not null,
  check ((user_id is null) = (approved is null))
);
create index oauth_device_requests_user on oauth_device_requests (user_id) where user_id is not null;
create index oauth_device_requests_expires_at on oauth_device_requests (expires_at);
