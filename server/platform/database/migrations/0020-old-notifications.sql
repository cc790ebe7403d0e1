-- Old notifications are found by their time; rows come in its order, so that this costs next to nothing.
create index notifications_created on notifications using brin (created_at);

-- Sign-ups that nobody confirms are ended after a week.
create index users_unconfirmed on users (created_at) where confirmed_at is null;
