import { same } from '../columns.ts';
import type { TableImport } from '../table-import.ts';
import { changedInCopy, nameOf, privacyOf, timeOf } from './references.ts';

const kind = nameOf('s.interaction_type', { favourite: [0, 'Like'], reply: [1, 'Reply'], reblog: [2, 'Announce'] });
const target = 'coalesce(s.target_status_id, s.status_id)';
const isAccepted = 's.accepted_at is not null';
const isPending = 's.accepted_at is null and s.rejected_at is null';
const reply = `(select r.id from statuses r where r.uri = s.interaction_uri)`;

/** SQL of the accounts that a reply mentions besides the author of its parent. They are notified when it is accepted. */
const mentioned = (
  condition: string,
): string => `coalesce((select array_agg(m.id order by m.id) from (select i.id from statuses r
    join mentions n on n.status_id = r.ulid join ids i on i.ulid = n.target_account_id
    where r.uri = s.interaction_uri and n.target_account_id <> s.target_account_id and ${condition}) m), '{}')`;

/** Interactions with posts of local authors: what these decided, and what waits for them. */
export const interactionRequestTable: TableImport = {
  name: 'interaction requests',
  from: 'interaction_requests',
  into: 'interaction_requests',
  join: `join statuses p on p.ulid = ${target} join accounts o on o.ulid = s.target_account_id
    join accounts a on a.ulid = s.interacting_account_id`,
  leftOut: {
    'about posts or by accounts that are gone': `not exists (select from statuses p where p.ulid = ${target})
      or not exists (select from accounts a where a.ulid = s.interacting_account_id)`,
    'by remote authors': `exists (select from accounts o where o.ulid = s.target_account_id and o.domain is not null)`,
    'replies that are gone': `${kind} = 'reply' and ${reply} is null`,
    'repeated later': `${kind} <> 'reply' and exists (select from interaction_requests o where o.interaction_type = s.interaction_type
      and coalesce(o.target_status_id, o.status_id) = ${target} and o.interacting_account_id = s.interacting_account_id
      and o.id > s.id)`,
  },
  changed: changedInCopy,
  columns: {
    ...same('id'),
    kind,
    state: `case when ${isAccepted} then 'accepted' when ${isPending} then 'pending' else 'rejected' end`,
    status_id: 'p.id',
    author_id: 'o.id',
    account_id: 'a.id',
    reply_id: `case when ${kind} = 'reply' then ${reply} end`,
    uri: `case when ${kind} <> 'favourite' or a.domain is not null then s.interaction_uri end`,
    visibility: `case when ${isPending} and ${kind} <> 'favourite'
      then coalesce((select ${privacyOf('r.visibility')} from statuses r where r.uri = s.interaction_uri), 'public') end`,
    mentioned_ids: `case when ${isPending} then ${mentioned('n.silent is not true')} else '{}' end`,
    silent_ids: `case when ${isPending} then ${mentioned('n.silent')} else '{}' end`,
    request_uri: 'case when s.polite then s.interaction_request_uri end',
    // Before 0.20 there are only Accepts, whose ids end alike.
    authorization_uri: `case when ${isAccepted} then coalesce(nullif(s.authorization_uri, ''), o.uri || '/authorizations/' || s.ulid) end`,
    created_at: `coalesce(s.created_at, ${timeOf('s.ulid')})`,
    decided_at: 'coalesce(s.accepted_at, s.rejected_at)',
  },
};

const verb = nameOf('s.type', {
  disable: [1],
  enable: [2],
  silence: [3],
  unsilence: [4],
  suspend: [5],
  unsuspend: [6],
  expire_keys: [7],
  unallow: [8],
});

/** What staff did. Here the log names domains and the handles of accounts. */
export const auditTable: TableImport = {
  name: 'audit log',
  from: 'admin_actions',
  into: 'audit_log',
  join: `join accounts a on a.ulid = s.account_id
    left join accounts t on s.target_category = '1' and t.ulid = s.target_id`,
  leftOut: {
    'of unknown kinds': `${verb} is null or s.target_category not in ('1', '2')`,
    'by accounts that are gone': 'not exists (select from accounts a where a.ulid = s.account_id)',
  },
  changed: changedInCopy,
  columns: {
    ...same('id', 'created_at'),
    staff_id: 'a.id',
    staff_name: 'a.username',
    action: `case s.target_category when '1' then 'account.' else 'instance.' end || ${verb}`,
    target_type: `case s.target_category when '1' then 'account' else 'instance' end`,
    target_id: 't.id::text',
    target_label: `case s.target_category when '1' then coalesce(t.username || coalesce('@' || t.domain, ''), '') else s.target_id end`,
  },
};

/** Lists of blocked domains that others maintain. */
export const domainListTable: TableImport = {
  name: 'lists of blocked domains',
  from: 'domain_permission_subscriptions',
  into: 'domain_lists',
  leftOut: {
    'of allowed domains': `s.permission_type <> '1'`,
    'in another format than CSV': `s.content_type <> '1'`,
    'behind a password': `s.fetch_username <> ''`,
  },
  changed: changedInCopy,
  columns: {
    id: 's.id',
    url: 's.uri',
    automatic: 'not coalesce(s.as_draft, true)',
    created_at: timeOf('s.ulid'),
    next_fetch_at: timeOf('s.ulid'),
  },
};
