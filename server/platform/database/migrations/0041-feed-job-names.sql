-- Jobs with the same handler have one name since this version.
create temporary table renamed (old_name text primary key, new_name text not null) on commit drop;
insert into renamed (old_name, new_name)
  values
    ('feed.fan_out_reblog', 'feed.fan_out_status'),
    ('feed.remove_reblog', 'feed.remove_status'),
    ('feed.reconcile_follow', 'feed.reconcile_home'),
    ('feed.reconcile_follow_change', 'feed.reconcile_home'),
    ('feed.reconcile_unfollow', 'feed.reconcile_home'),
    ('feed.reconcile_removed_follower', 'feed.reconcile_home'),
    ('feed.reconcile_mute', 'feed.reconcile_home'),
    ('feed.reconcile_domain_block', 'feed.reconcile_home'),
    ('feed.reconcile_tag_follow', 'feed.reconcile_home'),
    ('feed.reconcile_tag_unfollow', 'feed.reconcile_home'),
    ('feed.reconcile_exclusions', 'feed.reconcile_home'),
    ('feed.rebuild_after_unblock', 'feed.rebuild_home'),
    ('feed.rebuild_after_unmute', 'feed.rebuild_home'),
    ('feed.rebuild_after_domain_unblock', 'feed.rebuild_home');
update jobs set name = new_name from renamed where name = old_name;
