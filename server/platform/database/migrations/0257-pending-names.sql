-- expand
-- A search for accounts reads the list of pending entries too, so it is short, as that of posts is.
alter index accounts_names set (gin_pending_list_limit = 256);
