import pg from 'pg';
import { cleanText, sanitizeHtml, truncateText } from '../../text/index.ts';
import { same } from '../columns.ts';
import { isRow, textOf, type ImportedRow, type RemotePosts, type TableImport } from '../table-import.ts';
import { isNeededAccount } from './needed.ts';
import { changedInCopy, idOf, nameOf } from './references.ts';
import { parseGoKey } from './rsa-keys.ts';

/** The addresses of the instance, which stay the same. */
export interface SiteAddress {
  /** Origin of the pages and the API, without a slash at the end. */
  readonly baseUrl: string;
  /** Host of the pages, which is the name of the instance actor. */
  readonly webDomain: string;
  /** Domain of handles. */
  readonly domain: string;
}

const maxFields = 50;
const maxFieldBytes = 8_192;
const maxNoteCharacters = 20_000;

const isInstance = 's.id = -99';

/** Whether the user of the local account is gone, and only its name is still reserved. */
const isDeleted = `s.domain is null and not (${isInstance}) and not exists (select from users u where u.account_id = s.ulid)`;

/** The file of an avatar or header. A thumbnail is a still image. */
const image = (kind: 'avatar' | 'header'): Record<string, string> => {
  const file = (path: string): string =>
    `case when s.domain is null then (select ${path} from media_attachments m where m.ulid = s.${kind}_media_attachment_id) end`;
  return {
    [`${kind}_key`]: file(`nullif(m.file_path, '')`),
    [`${kind}_static_key`]: file(
      `case when m.file_content_type = 'image/gif' then nullif(m.thumbnail_path, '') else nullif(m.file_path, '') end`,
    ),
    [`${kind}_remote_url`]: `case when s.domain is not null then nullif(s.${kind}_remote_url, '') end`,
  };
};

const ofDomainBlock = 'exists (select from domain_blocks b where b.domain = s.domain)';

/** Accounts, local and remote, with what belongs to each. */
export function accountTables({ baseUrl, domain }: SiteAddress, remote: RemotePosts): readonly TableImport[] {
  const base = pg.escapeLiteral(baseUrl);
  return [
    {
      name: 'accounts',
      from: 'accounts',
      into: 'accounts',
      // Users and settings belong to it.
      changed: `(${changedInCopy} or s.domain is null)`,
      ...(remote === 'needed' && {
        leftOut: { 'remote accounts that no local account has to do with': `not (${isNeededAccount})` },
      }),
      columns: {
        ...same('id', 'sensitized_at', 'silenced_at', 'suspended_at', 'created_at', 'updated_at', 'fetched_at'),
        username: `case when ${isInstance} then ${pg.escapeLiteral(domain)} else s.username end`,
        domain: 'lower(s.domain)',
        uri: 's.uri',
        url: `case when ${isInstance} then null when s.domain is null then ${base} || '/@' || s.username else s.url end`,
        display_name: `coalesce(s.display_name, '')`,
        locked: `(${isInstance} or coalesce(s.locked, true))`,
        hide_collections: `(${isInstance} or coalesce((select h.hide_collections from account_settings h where h.account_id = s.ulid), false))`,
        memorial: '(s.memorialized_at is not null or coalesce(s.memorial, false))',
        actor_type: `case when ${isInstance} then 'Application' else coalesce(${nameOf('s.actor_type', {
          Application: [1, 'Application'],
          Group: [2, 'Group'],
          Organization: [3, 'Organization'],
          Service: [5, 'Service'],
        })}, case when s.bot then 'Service' end, 'Person') end`,
        note: `coalesce(case when s.domain is null then s.note_raw else s.note end, '')`,
        fields: `case when s.domain is null then coalesce(s.fields_raw, '[]') else coalesce(s.fields, '[]') end`,
        discoverable: 'coalesce(s.discoverable, false)',
        // Only for the search of posts, which GoToSocial does not have.
        indexable: 'false',
        ...image('avatar'),
        ...image('header'),
        also_known_as: `coalesce((select array_agg(u) from jsonb_array_elements_text(
          case jsonb_typeof(s.also_known_as_uris) when 'array' then s.also_known_as_uris else '[]' end) u), '{}')`,
        attribution_domains: `'{}'::text[]`,
        inbox_url: `nullif(s.inbox_uri, '')`,
        shared_inbox_url: `nullif(s.shared_inbox_uri, '')`,
        outbox_url: `nullif(s.outbox_uri, '')`,
        followers_url: `nullif(s.followers_uri, '')`,
        following_url: `nullif(s.following_uri, '')`,
        featured_url: `nullif(s.featured_collection_uri, '')`,
        protocol: `'activitypub'`,
        silence_origin: `case when s.silenced_at is not null then 'local' end`,
        // An account that was deleted on its server suspended itself.
        suspension_origin: `case when s.suspended_at is not null then case when ${ofDomainBlock} then 'domain'
          when s.domain is not null and s.suspension_origin = s.ulid then 'remote' else 'local' end end`,
        activated: `s.domain is not null or not exists (select from users u where u.account_id = s.ulid
          and (u.confirmed_at is null or u.approved is not true))`,
        deleted_at: `case when ${isDeleted} then coalesce(s.suspended_at, s.updated_at, s.created_at) end`,
      },
      prepare: completeAccount,
    },
    {
      name: 'moved accounts',
      from: 'accounts',
      into: 'accounts',
      only: `s.moved_to_uri <> ''`,
      changed: changedInCopy,
      columns: {
        id: 's.id',
        moved_to_account_id: '(select a.id from accounts a where a.uri = s.moved_to_uri)',
      },
      isUpdate: true,
    },
    {
      name: 'account counters',
      from: 'accounts',
      into: 'account_stats',
      join: 'left join account_stats c on c.account_id = s.ulid',
      changed: 'true',
      targetKey: ['account_id'],
      columns: {
        account_id: 's.id',
        statuses_count: 'greatest(coalesce(c.statuses_count, 0), 0)::int',
        followers_count: 'greatest(coalesce(c.followers_count, 0), 0)::int',
        following_count: 'greatest(coalesce(c.following_count, 0), 0)::int',
        local_followers_count: `(select count(*) from follows f join accounts a on a.ulid = f.account_id
          where f.target_account_id = s.ulid and a.domain is null)`,
        last_status_at: 'c.last_status_at',
      },
    },
    keyTable,
    {
      name: 'moves',
      from: 'moves',
      into: 'account_moves',
      join: 'join accounts a on a.uri = s.origin_uri join accounts b on b.uri = s.target_uri',
      leftOut: {
        'one of the accounts is not known': `not exists (select from accounts a where a.uri = s.origin_uri)
          or not exists (select from accounts b where b.uri = s.target_uri)`,
        'did not succeed': 's.succeeded_at is null',
      },
      changed: changedInCopy,
      columns: { ...same('id', 'created_at'), account_id: 'a.id', target_account_id: 'b.id' },
    },
    {
      name: 'notes about accounts',
      from: 'account_notes',
      into: 'account_notes',
      changed: changedInCopy,
      targetKey: undefined,
      conflictKey: ['account_id', 'target_account_id'],
      columns: {
        account_id: idOf('s.account_id'),
        target_account_id: idOf('s.target_account_id'),
        comment: `coalesce(s.comment, '')`,
      },
    },
  ];
}

const keyTable: TableImport = {
  name: 'keys',
  from: 'accounts',
  into: 'account_keys',
  // An account without keys gets them when it first signs.
  only: `s.public_key_uri <> '' and case when s.domain is null then s.private_key like '%"Primes"%' else s.public_key like '%"N"%' end`,
  changed: changedInCopy,
  targetKey: undefined,
  conflictKey: ['key_id'],
  columns: {
    account_id: 's.id',
    key_id: 's.public_key_uri',
    public_key_pem: 'null::text',
    private_key_pem: 'null::text',
    expires_at: 's.public_key_expires_at',
    created_at: 's.created_at',
  },
  helpers: { key: 'case when s.domain is null then s.private_key else s.public_key end' },
  prepare: ({ key, ...row }) => {
    const pair = parseGoKey(String(key));
    return { ...row, public_key_pem: pair?.publicKeyPem ?? null, private_key_pem: pair?.privateKeyPem ?? null };
  },
};

/** Texts of local accounts are stored as typed, those of others as safe HTML. */
function completeAccount(row: ImportedRow): ImportedRow {
  const isLocal = row['domain'] === null;
  const fields = Array.isArray(row['fields']) ? row['fields'].filter(isRow).slice(0, maxFields) : [];
  const note = truncateText(textOf(row, 'note'), maxNoteCharacters);
  return {
    ...row,
    display_name: cleanText(textOf(row, 'display_name')),
    note: isLocal ? note : sanitizeHtml(note),
    fields: fields.map((field) => ({
      name: textOf(field, 'Name'),
      value: isLocal ? textOf(field, 'Value') : sanitizeHtml(textOf(field, 'Value'), maxFieldBytes),
      verified_at: verifiedAt(field),
    })),
  };
}

/** Go writes the year 1 for no time. */
function verifiedAt(field: ImportedRow): string | null {
  const time = textOf(field, 'VerifiedAt');
  return time === '' || time.startsWith('0001-') ? null : time;
}
