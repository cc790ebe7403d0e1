-- Terms of service, one version for each date from which it applies. A version is replaced until then, never after.
create table terms_of_service (
  effective_date date primary key,
  -- Safe HTML.
  content text not null,
  updated_at timestamptz not null
);

-- What a suspended account had waiting for other servers is dropped.
create index activities_sender on activities (sender_account_id);
