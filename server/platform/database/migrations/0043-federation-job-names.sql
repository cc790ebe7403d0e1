-- Updates of a status are delivered by one job, whatever changed.
update jobs set name = renamed.new_name
from (
  values
    ('poll.deliver_update', 'status.deliver_update'),
    ('poll.deliver_end', 'status.deliver_update'),
    ('status.deliver_quote_policy', 'status.deliver_update')
) as renamed (old_name, new_name)
where name = renamed.old_name;
