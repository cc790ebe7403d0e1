-- Reactions with the same handler became one job.
update jobs set name = renamed.new_name
from (
  values
    ('notification.create_for_collection', 'notification.create_for_collection_item'),
    ('notification.delete_for_removed_follower', 'notification.delete_for_unfollow')
) as renamed (old_name, new_name)
where name = renamed.old_name;
