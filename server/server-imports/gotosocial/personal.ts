import { same } from '../columns.ts';
import { isRow, textOf, type ImportedRow, type TableImport } from '../table-import.ts';
import { encodePolicy } from './interaction-policies.ts';
import { arrayOf, changedInCopy, idOf, idsOf, nameOf, privacyOf, textsOf, timeOf } from './references.ts';

const contexts = ['home', 'notifications', 'public', 'thread', 'account'] as const;

/** Since 0.20 the contexts are bits, before that a column each. */
const filterContexts = `array_remove(array[${contexts
  .map(
    (name, index) =>
      `case when s.context_${name} or (s.contexts ~ '^[0-9]+$' and s.contexts::int & ${1 << (index + 1)} <> 0) then '${name}' end`,
  )
  .join(', ')}], null)`;

const notificationType = nameOf('s.notification_type', {
  follow: [1, 'follow'],
  follow_request: [2, 'follow_request'],
  mention: [3, 'mention'],
  reblog: [4, 'reblog'],
  favourite: [5, 'favourite'],
  poll: [6, 'poll'],
  status: [7, 'status'],
  'admin.sign_up': [8, 'admin.sign_up'],
  update: [13, 'update'],
});

/** The post, the post of a boost, or the post of a version. */
const notificationStatus = `coalesce(
  (select coalesce(b.id, p.id) from statuses p left join statuses b on b.ulid = p.boost_of_id where p.ulid = s.status_id),
  (select p.id from status_edits e join statuses p on p.ulid = e.status_id where e.ulid = s.status_id))`;
const isOfPost = `${notificationType} in ('mention', 'reblog', 'favourite', 'poll', 'status', 'update')`;

/** Lists, filters, notifications and other things that only their owner sees. */
export const personalTables: readonly TableImport[] = [
  {
    name: 'lists',
    from: 'lists',
    into: 'lists',
    changed: changedInCopy,
    columns: {
      ...same('id', 'title', 'created_at'),
      account_id: idOf('s.account_id'),
      exclusive: 'coalesce(s.exclusive, false)',
      replies_policy: `case when s.replies_policy in ('followed', 'list', 'none') then s.replies_policy else 'followed' end`,
    },
  },
  {
    name: 'members of lists',
    from: 'list_entries',
    into: 'list_accounts',
    join: 'join lists l on l.ulid = s.list_id join follows f on f.ulid = s.follow_id',
    leftOut: {
      'of accounts that are no longer followed': 'not exists (select from follows f where f.ulid = s.follow_id)',
      'of lists that are gone': 'not exists (select from lists l where l.ulid = s.list_id)',
    },
    changed: changedInCopy,
    columns: {
      id: 's.id',
      list_id: 'l.id',
      account_id: idOf('f.target_account_id'),
      owner_id: idOf('l.account_id'),
      exclusive: 'coalesce(l.exclusive, false)',
    },
  },
  {
    name: 'filters',
    from: 'filters',
    into: 'filters',
    leftOut: { 'without a context': `${filterContexts} = '{}'` },
    changed: changedInCopy,
    columns: {
      ...same('id', 'title', 'expires_at'),
      account_id: idOf('s.account_id'),
      context: filterContexts,
      action: `coalesce(${nameOf('s.action', { hide: [2, 'hide'], blur: [3, 'blur'] })}, 'warn')`,
      created_at: `coalesce(s.created_at, ${timeOf('s.ulid')})`,
    },
  },
  {
    name: 'keywords of filters',
    from: 'filter_keywords',
    into: 'filter_keywords',
    changed: changedInCopy,
    columns: {
      ...same('id', 'keyword'),
      filter_id: idOf('s.filter_id'),
      whole_word: 'coalesce(s.whole_word, false)',
    },
  },
  {
    name: 'posts of filters',
    from: 'filter_statuses',
    into: 'filter_statuses',
    changed: changedInCopy,
    columns: { id: 's.id', filter_id: idOf('s.filter_id'), status_id: idOf('s.status_id') },
  },
  {
    name: 'direct conversations',
    from: 'conversations',
    into: 'account_conversations',
    leftOut: { 'without a post': `${idOf('s.last_status_id')} is null` },
    changed: 'true',
    columns: {
      id: 's.id',
      account_id: idOf('s.account_id'),
      conversation_id: idOf('s.thread_id'),
      last_status_id: idOf('s.last_status_id'),
      unread: 'not coalesce(s.read, false)',
      lock_version: '0',
      status_ids: `coalesce((select array_agg(i.id order by i.id) from conversation_to_statuses c join ids i on i.ulid = c.status_id
        where c.conversation_id = s.ulid), array[${idOf('s.last_status_id')}])`,
      participant_ids: `array(select p from unnest(${idsOf('s.other_account_ids')}) p order by p)`,
    },
  },
  {
    name: 'muted threads',
    from: 'thread_mutes',
    into: 'conversation_mutes',
    changed: changedInCopy,
    targetKey: undefined,
    columns: { account_id: idOf('s.account_id'), conversation_id: idOf('s.thread_id') },
  },
  {
    name: 'markers',
    from: 'markers',
    into: 'markers',
    leftOut: {
      'of unknown timelines': `s.name not in ('home', 'notifications')`,
      'at something that is gone': `${idOf('s.last_read_id')} is null`,
    },
    changed: changedInCopy,
    targetKey: undefined,
    conflictKey: ['account_id', 'timeline'],
    columns: {
      account_id: idOf('s.account_id'),
      timeline: 's.name',
      last_read_id: idOf('s.last_read_id'),
      updated_at: 's.updated_at',
      version: 'coalesce(s.version, 0)::int',
    },
  },
  {
    name: 'notifications',
    from: 'notifications',
    into: 'notifications',
    leftOut: {
      'older than a year': `s.created_at < now() - interval '1 year'`,
      'of reports and of approvals, which Fieldfare does not have like this': `${notificationType} is null`,
      'about posts that are gone': `${isOfPost} and ${notificationStatus} is null`,
    },
    changed: changedInCopy,
    targetKey: ['id'],
    conflictKey: ['account_id', 'id'],
    columns: {
      ...same('id', 'created_at'),
      account_id: idOf('s.target_account_id'),
      from_account_id: idOf('s.origin_account_id'),
      filtered: 'false',
      type: notificationType,
      status_id: `case when ${isOfPost} then ${notificationStatus} end`,
    },
  },
  {
    name: 'scheduled posts',
    from: 'scheduled_statuses',
    into: 'scheduled_statuses',
    changed: changedInCopy,
    columns: {
      ...same('id', 'scheduled_at'),
      account_id: idOf('s.account_id'),
      params: `'{}'`,
      created_at: `least(${timeOf('s.ulid')}, s.scheduled_at)`,
    },
    // Ids are text, because JavaScript would round numbers.
    helpers: {
      text: 's.text',
      spoilerText: `nullif(s.spoiler_text, '')`,
      contentType: `case when s.content_type in ('2', 'text/markdown') then 'text/markdown' end`,
      visibility: privacyOf('s.visibility'),
      localOnly: 'nullif(s.local_only, false)',
      sensitive: 'nullif(s.sensitive, false)',
      language: `nullif(s.language, '')`,
      inReplyToId: `${idOf('s.in_reply_to_id')}::text`,
      applicationId: `${idOf('s.application_id')}::text`,
      mediaIds: `nullif(${idsOf('s.attachments')}::text[], '{}')`,
      policy: 's.interaction_policy',
      poll: `case when jsonb_array_length(${arrayOf('s.poll_options')}) > 0 then jsonb_build_object('options', ${textsOf('s.poll_options')},
        'expires_in', coalesce(s.poll_expires_in, 86400), 'multiple', coalesce(s.poll_multiple, false),
        'hide_totals', coalesce(s.poll_hide_totals, false)) end`,
    },
    prepare: ({ id, account_id, scheduled_at, created_at, params: empty, policy, ...given }) => {
      const interactionPolicy = encodePolicy(policy);
      const params = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
      return {
        id,
        account_id,
        scheduled_at,
        created_at,
        params: { ...(isRow(empty) && empty), ...params, ...(interactionPolicy !== null && { interactionPolicy }) },
      };
    },
  },
];

/** What staff decided and wrote. */
export const staffTables: readonly TableImport[] = [
  {
    name: 'rules',
    from: 'rules',
    into: 'rules',
    changed: changedInCopy,
    columns: {
      id: 's.id',
      text: `coalesce(s.text, '')`,
      hint: `''`,
      position: 'coalesce(s."order", 0)::int',
      deleted_at: 'case when s.deleted then coalesce(s.updated_at, s.created_at) end',
    },
  },
  {
    name: 'reports',
    from: 'reports',
    into: 'reports',
    join: 'join accounts a on a.ulid = s.account_id',
    leftOut: { 'of accounts that are gone': 'not exists (select from accounts a where a.ulid = s.account_id)' },
    changed: changedInCopy,
    columns: {
      ...same('id', 'action_taken_at', 'created_at', 'updated_at'),
      account_id: 'a.id',
      target_account_id: idOf('s.target_account_id'),
      comment: `coalesce(s.comment, '')`,
      rule_ids: idsOf('s.rules'),
      action_taken_by_account_id: idOf('s.action_taken_by_account_id'),
      domain: 'lower(a.domain)',
      uri: `case when a.domain is not null then nullif(s.uri, '') end`,
      category: `case when jsonb_array_length(${arrayOf('s.rules')}) > 0 then 'violation' else 'other' end`,
      status_ids: idsOf('s.statuses'),
      collection_ids: `'{}'::bigint[]`,
      forward_domains: `'{}'::text[]`,
      forwarded: 'coalesce(s.forwarded, false)',
    },
  },
  {
    name: 'decisions about reports',
    from: 'reports',
    into: 'report_notes',
    only: `s.action_taken <> '' and s.action_taken_by_account_id <> ''`,
    changed: changedInCopy,
    columns: {
      id: 's.id',
      report_id: 's.id',
      account_id: idOf('s.action_taken_by_account_id'),
      content: 's.action_taken',
      created_at: 'coalesce(s.action_taken_at, s.updated_at)',
    },
  },
  {
    name: 'domain blocks',
    from: 'domain_blocks',
    into: 'domain_blocks',
    changed: changedInCopy,
    columns: {
      ...same('id', 'created_at'),
      domain: 'lower(s.domain)',
      severity: `'suspend'`,
      reject_media: 'true',
      reject_reports: 'true',
      obfuscate: 'coalesce(s.obfuscate, false)',
      private_comment: `nullif(s.private_comment, '')`,
      public_comment: `nullif(s.public_comment, '')`,
    },
  },
  {
    name: 'allowed domains',
    from: 'domain_allows',
    into: 'domain_allows',
    changed: changedInCopy,
    columns: { ...same('id', 'created_at'), domain: 'lower(s.domain)' },
  },
  {
    name: 'blocked e-mail domains',
    from: 'email_domain_blocks',
    into: 'email_domain_blocks',
    changed: changedInCopy,
    columns: { ...same('id', 'created_at'), domain: 'lower(s.domain)', allow_with_approval: 'false' },
  },
];

/** Our setting for each text of the instance. */
const siteTexts: Readonly<Record<string, string>> = {
  title: 's.title',
  description: `left(coalesce(nullif(s.short_description_text, ''), s.short_description), 200)`,
  extendedDescription: 's.description',
  privacyPolicy: 's.terms',
  contactEmail: 's.contact_email',
  contactUsername: 's.contact_account_username',
  customCss: 's.custom_css',
};

/** Texts of the site. `webDomain`: domain of the row of this instance. */
export function siteTable(webDomain: string, sanitize: (html: string) => string): TableImport {
  const values = Object.entries(siteTexts).map(([name, value]) => `('${name}', ${value})`);
  const texts = `(values ${values.join(', ')}) t(name, value)`;
  return {
    name: 'texts of the site',
    from: 'instances',
    into: 'site_settings',
    only: `s.domain = '${webDomain.replaceAll("'", "''")}'`,
    join: `join lateral (select * from ${texts} where t.value <> '') t on true`,
    rowsEach: `(select count(*) from ${texts} where t.value <> '')`,
    changed: changedInCopy,
    replaces: true,
    targetKey: undefined,
    conflictKey: ['name'],
    columns: { name: 't.name', value: 'to_jsonb(t.value)', updated_at: 'coalesce(s.updated_at, s.created_at)' },
    prepare: (row: ImportedRow) => {
      const isHtml = ['extendedDescription', 'privacyPolicy'].includes(textOf(row, 'name'));
      return isHtml && !isRow(row['value']) ? { ...row, value: sanitize(textOf(row, 'value')) } : row;
    },
  };
}
