-- The few users who take subscribers by e-mail, so that looking for them does not read all users.
create index users_email_subscriptions on users (account_id) where (settings ->> 'email_subscriptions')::boolean;
