import pg from 'pg';
import { sanitizeHtml } from '../../text/index.ts';
import { same } from '../columns.ts';
import { textOf, type TableImport } from '../table-import.ts';
import { enumName, localActorUri, type SiteAddress } from './site-address.ts';

/** Collections of recommended accounts, which Mastodon has since 4.6. Their addresses are those that we have, too. */
export function collectionTables(site: SiteAddress): readonly TableImport[] {
  const base = pg.escapeLiteral(site.baseUrl);
  const address = (ownerId: string, path: string, id: string): string =>
    `${base} || '/ap/users/' || ${ownerId} || '/${path}/' || ${id}`;
  return [
    {
      name: 'collections',
      from: 'collections',
      into: 'collections',
      isNewTable: true,
      columns: {
        ...same('id', 'account_id', 'local', 'name', 'language', 'tag_id', 'sensitive', 'discoverable'),
        ...same('created_at', 'updated_at'),
        uri: `case when s.local then ${address('s.account_id', 'collections', 's.id')} else s.uri end`,
        url: `case when s.local then ${base} || '/collections/' || s.id else nullif(s.url, '') end`,
        description: `coalesce(case when s.local then s.description else s.description_html end, '')`,
      },
      prepare: (row) =>
        row['local'] === true ? row : { ...row, description: sanitizeHtml(textOf(row, 'description')) },
    },
    {
      name: 'accounts in collections',
      from: 'collection_items',
      into: 'collection_items',
      isNewTable: true,
      join: 'join collections c on c.id = s.collection_id left join accounts a on a.id = s.account_id',
      columns: {
        ...same('id', 'collection_id', 'account_id', 'created_at'),
        object_uri: `coalesce(case when a.domain is not null then nullif(a.uri, '') else ${localActorUri(site)} end, s.object_uri, '')`,
        state: enumName('s.state', { 0: 'pending', 1: 'accepted', 2: 'rejected', 3: 'revoked' }),
        place: 's.position',
        uri: `case when c.local then ${address('c.account_id', 'collection_items', 's.id')} else nullif(s.uri, '') end`,
        request_uri: `nullif(s.activity_uri, '')`,
        approval_uri: `case when a.domain is not null or a.id is null then nullif(s.approval_uri, '')
          when s.state = 1 then ${address('s.account_id', 'feature_authorizations', 's.id')} end`,
      },
    },
    {
      name: 'links from posts to collections',
      from: 'tagged_objects',
      into: 'tagged_collections',
      isNewTable: true,
      leftOut: {
        'to other things, or to something unknown': `s.object_type is distinct from 'Collection' or s.object_id is null`,
      },
      isRebuilt: true,
      targetKey: undefined,
      columns: { status_id: 's.status_id', collection_id: 's.object_id' },
    },
  ];
}
