import type pg from 'pg';
import type { DescribedTables } from '../describe-tables.ts';
import { same } from '../columns.ts';
import { textOf, type TableImport } from '../table-import.ts';
import { columnReader, type ColumnText } from './encrypted-columns.ts';
import { columnKeysOf, type MastodonEnvironment } from './environment.ts';
import { localActorUri, type SiteAddress } from './site-address.ts';

/** The private keys of local accounts, which Mastodon stores in a table of their own and encrypts since 4.7. */
export interface PrivateKeys {
  readonly read: (stored: string) => ColumnText;
  /** Ids of key pairs that cannot be read, by the reason. */
  readonly unreadable: ReadonlyMap<string, readonly string[]>;
}

/** Decrypts the private keys of all local accounts with the keys of the settings, to know which cannot be read. */
export async function checkPrivateKeys(
  source: pg.ClientBase,
  tables: DescribedTables,
  environment: MastodonEnvironment,
): Promise<PrivateKeys> {
  const read = columnReader(columnKeysOf(environment));
  if (tables.get('keypairs')?.types.has('local_fragment') !== true) return { read, unreadable: new Map() };
  const { rows } = await source.query<{ id: string; private_key: string | null }>(
    'select id::text, private_key from keypairs where local_fragment is not null and not revoked order by id',
  );
  const unreadable = new Map<string, string[]>();
  for (const { id, private_key: stored } of rows) {
    const result = read(stored ?? '');
    if ('problem' in result) unreadable.set(result.problem, [...(unreadable.get(result.problem) ?? []), id]);
  }
  return { read, unreadable };
}

/** The keys of local accounts since 4.7. Those of earlier versions are columns of the accounts. */
export const localKeyTable = (site: SiteAddress, { read, unreadable }: PrivateKeys): TableImport => ({
  name: 'keys of local accounts',
  from: 'keypairs',
  into: 'account_keys',
  isNewTable: true,
  added: { local_fragment: 'null::text' },
  only: 's.local_fragment is not null',
  join: 'join accounts a on a.id = s.account_id',
  leftOut: {
    revoked: 's.revoked',
    expired: `s.expires_at < now() at time zone 'UTC'`,
    'neither RSA nor Ed25519': 's.type not in (0, 1)',
    ...Object.fromEntries(
      [...unreadable].map(([problem, ids]) => [
        `the private key cannot be read: ${problem}`,
        `s.id = any ('{${ids.join(',')}}'::bigint[])`,
      ]),
    ),
  },
  targetKey: undefined,
  conflictKey: ['key_id'],
  columns: {
    ...same('account_id', 'created_at'),
    key_id: `${localActorUri(site)} || s.local_fragment`,
    public_key_pem: 's.public_key',
    private_key_pem: 's.private_key',
  },
  prepare: (row) => {
    const result = read(textOf(row, 'private_key_pem'));
    return { ...row, private_key_pem: 'text' in result ? result.text : null };
  },
});
