import type pg from 'pg';
import type { DescribedTables } from '../describe-tables.ts';
import { sourceRows } from '../source-statements.ts';
import { textOf, type ImportedRow, type TableImport } from '../table-import.ts';
import { otpSecretReader, type OtpColumns, type OtpSecret } from './encrypted-columns.ts';
import { columnKeysOf, type MastodonEnvironment } from './environment.ts';

/** The secrets of authenticator apps, which Mastodon encrypts. */
export interface OtpSecrets {
  readonly read: (columns: OtpColumns) => OtpSecret;
  /** Ids of users whose secret cannot be read, by the reason. */
  readonly unreadable: ReadonlyMap<string, readonly string[]>;
}

const columns = ['otp_secret', 'encrypted_otp_secret', 'encrypted_otp_secret_iv', 'encrypted_otp_secret_salt'] as const;
const helpers = Object.fromEntries(columns.map((column) => [column, `s.${column}`]));
/** Versions have the columns of one encryption or of both. */
const added = Object.fromEntries(columns.map((column) => [column, 'null::text']));
const hasApp = 's.otp_required_for_login';

/** Decrypts the secrets of all users of a Mastodon with the keys of its settings, to know which cannot be read. */
export async function checkOtpSecrets(
  source: pg.ClientBase,
  tables: DescribedTables,
  environment: MastodonEnvironment,
): Promise<OtpSecrets> {
  const read = otpSecretReader(columnKeysOf(environment));
  const users = tables.get('users');
  if (users === undefined) return { read, unreadable: new Map() };
  const { rows } = await source.query<OtpColumns & { id: string }>(
    `select id::text, ${columns.join(', ')} from ${sourceRows({ from: 'users', added }, users)} s where ${hasApp} order by s.id`,
  );
  const problems = rows.flatMap(({ id, ...row }) => {
    const result = read(row);
    return 'problem' in result ? [{ id, problem: result.problem }] : [];
  });
  const byProblem = Map.groupBy(problems, ({ problem }) => problem);
  return { read, unreadable: new Map([...byProblem].map(([problem, users]) => [problem, users.map(({ id }) => id)])) };
}

/** What users sign in with besides their password, except passkeys. A later run takes all of it again. */
export function secondFactorTables({ read, unreadable }: OtpSecrets): readonly TableImport[] {
  const isOneOf = (ids: readonly string[]): string => `s.id = any ('{${ids.join(',')}}'::bigint[])`;
  const isUnreadable = isOneOf([...unreadable.values()].flat());
  const hasPasskey = 'exists (select from webauthn_credentials w where w.user_id = s.id)';
  const hasSecondFactor = `(${hasApp} and not ${isUnreadable} or ${hasPasskey})`;
  return [
    {
      name: 'authenticator apps',
      from: 'users',
      into: 'user_totp',
      added,
      only: hasApp,
      leftOut: Object.fromEntries(
        [...unreadable].map(([problem, ids]) => [`their secret cannot be read: ${problem}`, isOneOf(ids)]),
      ),
      isRebuilt: true,
      targetKey: ['user_id'],
      columns: {
        user_id: 's.id',
        secret: 'null::text',
        last_step: 'coalesce(s.consumed_timestep, 0)',
        confirmed_at: 's.updated_at',
        created_at: 's.created_at',
      },
      helpers,
      prepare: (row) => completeSecret(read, row),
    },
    {
      name: 'recovery codes',
      from: 'users',
      into: 'recovery_codes',
      only: 'cardinality(s.otp_backup_codes) > 0',
      leftOut: { 'of users without another second factor': `not ${hasSecondFactor}` },
      isRebuilt: true,
      rowsEach: 'cardinality(s.otp_backup_codes)',
      join: 'cross join lateral unnest(s.otp_backup_codes) c(hash)',
      targetKey: undefined,
      // bcrypt.
      columns: { user_id: 's.id', code_hash: `convert_to(c.hash, 'UTF8')` },
    },
    {
      name: 'users with second factors',
      from: 'users',
      into: 'users',
      // Passkeys come and go without a change of their user.
      changed: 'true',
      columns: {
        id: 's.id',
        has_second_factor: hasSecondFactor,
        lost_second_factor: `(${hasApp} and not ${hasSecondFactor})`,
      },
      isUpdate: true,
    },
  ];
}

/** Secrets that could be read before are refused by the database if they cannot any more. */
function completeSecret(read: OtpSecrets['read'], row: ImportedRow): ImportedRow {
  const result = read(Object.fromEntries(columns.map((column) => [column, textOf(row, column)])));
  return { ...row, secret: 'secret' in result ? `\\x${result.secret.toString('hex')}` : null };
}
