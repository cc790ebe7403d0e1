-- Notifications of edits of quoted posts are about the recipient's quote, no longer about the edited post.
update notifications n set status_id = own.status_id
from (
  select distinct on (q.account_id, q.quoted_status_id) q.account_id, q.quoted_status_id, q.status_id
  from quotes q join statuses s on s.id = q.status_id and s.deleted_at is null
  where q.quoted_status_id is not null and q.state = 'accepted'
  order by q.account_id, q.quoted_status_id, q.status_id desc
) own
where n.type = 'quoted_update' and own.account_id = n.account_id and own.quoted_status_id = n.status_id;

delete from notifications n
where n.type = 'quoted_update' and not exists (
  select from statuses s where s.id = n.status_id and s.account_id = n.account_id);
