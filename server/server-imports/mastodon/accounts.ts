import { sanitizeHtml, truncateText } from '../../text/index.ts';
import { isRow, textOf, type ImportedRow, type RemotePosts, type TableImport } from '../table-import.ts';
import { same } from '../columns.ts';
import { isNeededAccount, type HasTable } from './needed.ts';
import { fileKey, localActorUri, withExtension, type SiteAddress } from './site-address.ts';
import pg from 'pg';

const maxFields = 50;
const maxFieldBytes = 8_192;
const maxNoteCharacters = 20_000;

const image = (kind: 'avatar' | 'header'): Record<string, string> => {
  const local = (style: string, file: string): string =>
    `case when s.domain is null then ${fileKey(`accounts/${kind}s`, 's.id', style, file)} end`;
  const file = `s.${kind}_file_name`;
  return {
    [`${kind}_key`]: local('original', file),
    [`${kind}_static_key`]: `case when s.${kind}_content_type = 'image/gif'
      then ${local('static', withExtension(file, 'png'))} else ${local('original', file)} end`,
    [`${kind}_remote_url`]: `case when s.domain is not null then nullif(s.${kind}_remote_url, '') end`,
  };
};

/** Whether the user of the local account is gone, and only its name is still reserved. */
const isDeleted = `s.domain is null and s.id <> -99 and not exists (select from users u where u.account_id = s.id)`;

/** Whether a limit has the time of the block of the domain, which set it. */
const byDomainBlock = (column: string): string =>
  `exists (select from domain_blocks b where b.domain = s.domain and b.created_at = s.${column})`;

const ofLocalAccount = 'exists (select from accounts a where a.id = s.account_id and a.domain is null)';

/** Null since 4.7. */
const hasNoUri = `coalesce(s.uri, '') = ''`;

/** Accounts whose users deleted them have a time of their own since 4.7. Earlier versions suspended them. */
const suspendedAt = 'coalesce(s.suspended_at, s.requested_deletion_at)';

const url = (column: string): string => `nullif(s.${column}, '')`;

/** Accounts, local and remote, with what belongs to each. */
export function accountTables(site: SiteAddress, remote: RemotePosts, hasTable: HasTable): readonly TableImport[] {
  const base = pg.escapeLiteral(site.baseUrl);
  const actorUri = localActorUri(site, 's');
  const added = {
    attribution_domains: `'{}'::text[]`,
    following_url: `''::text`,
    avatar_description: `''::text`,
    header_description: `''::text`,
    show_media: 'true',
    show_media_replies: 'true',
    show_featured: 'true',
    collections_url: 'null::text',
    requested_deletion_at: 'null::timestamp',
  };
  return [
    {
      name: 'accounts',
      from: 'accounts',
      into: 'accounts',
      added,
      leftOut: {
        'remote accounts without an ActivityPub id': `s.domain is not null and ${hasNoUri}`,
        ...(remote === 'needed' && {
          'remote accounts that no local account has to do with': `not (${isNeededAccount(hasTable)})`,
        }),
      },
      columns: {
        ...same('id', 'display_name', 'locked', 'hide_collections', 'memorial', 'silenced_at', 'sensitized_at'),
        suspended_at: suspendedAt,
        ...same('created_at', 'updated_at', 'show_media', 'show_media_replies', 'show_featured'),
        ...same('avatar_description', 'header_description'),
        username: `case when s.id = -99 then ${pg.escapeLiteral(site.domain)} else s.username end`,
        domain: 'lower(s.domain)',
        uri: `case when s.domain is null then ${actorUri} else s.uri end`,
        url: `case when s.id = -99 then null when s.domain is null then ${base} || '/@' || s.username else s.url end`,
        actor_type: `case when s.id = -99 then 'Application'
          when s.actor_type in ('Person', 'Service', 'Group', 'Application', 'Organization') then s.actor_type else 'Person' end`,
        note: 's.note',
        fields: `case jsonb_typeof(s.fields) when 'array' then s.fields else '[]' end`,
        discoverable: 'case when s.domain is null then coalesce(s.discoverable, false) else s.discoverable end',
        indexable: 's.indexable',
        ...image('avatar'),
        ...image('header'),
        also_known_as: `coalesce(s.also_known_as, '{}')`,
        attribution_domains: `coalesce(s.attribution_domains, '{}')`,
        inbox_url: url('inbox_url'),
        shared_inbox_url: url('shared_inbox_url'),
        outbox_url: url('outbox_url'),
        followers_url: url('followers_url'),
        following_url: url('following_url'),
        featured_url: url('featured_collection_url'),
        featured_collections_url: `case when s.domain is not null then ${url('collections_url')} end`,
        protocol: `case when s.domain is not null and s.protocol = 0 then 'ostatus' else 'activitypub' end`,
        silence_origin: `case when s.silenced_at is not null then case when ${byDomainBlock('silenced_at')} then 'domain' else 'local' end end`,
        suspension_origin: `case when ${suspendedAt} is not null then case when s.suspension_origin = 1 then 'remote'
          when ${byDomainBlock('suspended_at')} then 'domain' else 'local' end end`,
        activated: `s.domain is not null or not exists (select from users u where u.account_id = s.id
          and (u.confirmed_at is null or not u.approved))`,
        fetched_at: 's.last_webfingered_at',
        deleted_at: `case when ${isDeleted} then coalesce(${suspendedAt}, s.updated_at) end`,
      },
      prepare: (row) => (row['domain'] === null ? row : sanitizeAccount(row)),
    },
    {
      // An account may have moved to one with a higher id.
      name: 'moved accounts',
      from: 'accounts',
      into: 'accounts',
      only: 's.moved_to_account_id is not null',
      columns: same('id', 'moved_to_account_id'),
      isUpdate: true,
    },
    {
      name: 'account counters',
      from: 'accounts',
      into: 'account_stats',
      join: 'left join account_stats c on c.account_id = s.id',
      changed: '(select c.updated_at from account_stats c where c.account_id = s.id) >= $since',
      targetKey: ['account_id'],
      columns: {
        account_id: 's.id',
        // Old versions counted below zero.
        statuses_count: 'greatest(coalesce(c.statuses_count, 0), 0)',
        followers_count: 'greatest(coalesce(c.followers_count, 0), 0)',
        following_count: 'greatest(coalesce(c.following_count, 0), 0)',
        local_followers_count: `(select count(*) from follows f join accounts a on a.id = f.account_id
          where f.target_account_id = s.id and a.domain is null)`,
        last_status_at: 'c.last_status_at',
      },
    },
    {
      name: 'keys',
      from: 'accounts',
      into: 'account_keys',
      // An account without keys gets them when it first signs.
      only: `s.public_key <> '' and (s.domain is not null or s.private_key is not null)`,
      leftOut: { 'keys of remote accounts without an ActivityPub id': `s.domain is not null and ${hasNoUri}` },
      targetKey: undefined,
      conflictKey: ['key_id'],
      columns: {
        account_id: 's.id',
        key_id: `(case when s.domain is null then ${actorUri} else s.uri end) || '#main-key'`,
        public_key_pem: 's.public_key',
        private_key_pem: 'case when s.domain is null then s.private_key end',
        created_at: 's.created_at',
      },
    },
    {
      // Since 4.6, remote accounts may have several.
      name: 'further keys of remote accounts',
      from: 'keypairs',
      into: 'account_keys',
      isNewTable: true,
      added: { local_fragment: 'null::text' },
      only: 's.local_fragment is null',
      join: 'join accounts a on a.id = s.account_id',
      leftOut: {
        revoked: 's.revoked',
        'of local accounts, which are in another table': ofLocalAccount,
      },
      targetKey: undefined,
      conflictKey: ['key_id'],
      columns: {
        ...same('account_id', 'created_at', 'expires_at'),
        key_id: 's.uri',
        public_key_pem: 's.public_key',
        private_key_pem: 'null::text',
      },
    },
    {
      name: 'moves',
      from: 'account_migrations',
      into: 'account_moves',
      leftOut: { 'the target account is gone': 's.target_account_id is null or s.account_id is null' },
      columns: same('id', 'account_id', 'target_account_id', 'created_at'),
    },
    {
      name: 'notes about accounts',
      from: 'account_notes',
      into: 'account_notes',
      targetKey: undefined,
      conflictKey: ['account_id', 'target_account_id'],
      columns: same('account_id', 'target_account_id', 'comment'),
    },
  ];
}

/** Mastodon sanitises texts of other servers when it shows them; here they are stored as safe HTML. */
function sanitizeAccount(row: ImportedRow): ImportedRow {
  const fields = Array.isArray(row['fields']) ? row['fields'].filter(isRow).slice(0, maxFields) : [];
  return {
    ...row,
    note: sanitizeHtml(truncateText(textOf(row, 'note'), maxNoteCharacters)),
    fields: fields.map(({ name, value, verified_at }) => ({
      name: textOf({ name }, 'name'),
      value: sanitizeHtml(textOf({ value }, 'value'), maxFieldBytes),
      verified_at: verified_at ?? null,
    })),
  };
}
