-- expand, no transaction
-- Old notifications are found by their recipient and id: pages that are used again hold rows of any time.
drop index concurrently if exists notifications_created;
