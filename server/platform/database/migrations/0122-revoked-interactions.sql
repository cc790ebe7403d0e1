-- Authors revoke interactions that they approved.
alter table interaction_requests drop constraint interaction_requests_state_check,
  add constraint interaction_requests_state_check check (state in ('pending', 'accepted', 'rejected', 'revoked'));
create index interaction_requests_accepted on interaction_requests (author_id, id) where state = 'accepted';
create index interaction_requests_authorization on interaction_requests (authorization_uri)
  where authorization_uri is not null;
