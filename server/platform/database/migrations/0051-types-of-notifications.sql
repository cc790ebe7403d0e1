-- Mentions and the like are found among very many favourites. Those pay nothing for the index.
create index notifications_infrequent on notifications (account_id, id) where type not in ('favourite', 'reblog', 'follow');

-- Senders of very large groups of notifications are looked up among the suspended accounts.
create index accounts_suspended on accounts (id) where suspended_at is not null;
