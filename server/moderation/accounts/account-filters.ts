import { isIP } from 'node:net';
import { sql, type RawBuilder } from 'kysely';
import { instanceActorId } from '../../accounts/index.ts';
import { normalizeDomain } from '../../accounts/find/index.ts';
import type { AccountId, RoleId } from '../../platform/ids.ts';
import { emailSpellings } from '../../users/sign-up/index.ts';
import { everyoneRoleId } from '../../users/access/index.ts';

export const accountStatuses = ['active', 'pending', 'disabled', 'silenced', 'suspended', 'sensitized'] as const;
export type AccountStatus = (typeof accountStatuses)[number];

/** Which accounts to list; absent: all. Each text is a beginning unless it says otherwise. */
export interface AccountFilters {
  readonly origin?: 'local' | 'remote' | undefined;
  readonly status?: AccountStatus | undefined;
  /** Their role is one of these. */
  readonly roleIds?: readonly RoleId[] | undefined;
  /** The account that invited them. */
  readonly invitedBy?: AccountId | undefined;
  readonly username?: string | undefined;
  readonly displayName?: string | undefined;
  /** A whole domain. */
  readonly domain?: string | undefined;
  /** `*` and `%` stand for any characters. */
  readonly email?: string | undefined;
  /** A whole address, or a network as 192.0.2.0/24. */
  readonly ip?: string | undefined;
}

type Condition = RawBuilder<boolean>;

/** Conditions on `account`, and on `"user"`, which is joined if there are any of them. */
export interface AccountConditions {
  readonly ofAccount: readonly Condition[];
  readonly ofUser: readonly Condition[];
}

/** Returns the conditions of filters. Each has an index (migration 0092). The instance actor is in no list. */
export function buildConditions(filters: AccountFilters): AccountConditions {
  const { status, displayName, domain } = filters;
  const username = filters.username?.replace(/^@/, '');
  const ofAccount: (Condition | undefined)[] = [
    sql<boolean>`account.deleted_at is null and account.id <> ${sql.lit(instanceActorId)}::bigint`,
    filters.origin && (filters.origin === 'local' ? sql`account.domain is null` : sql`account.domain is not null`),
    status && stateConditions[status].ofAccount,
    domain === undefined ? undefined : sql`account.domain = ${normalizeDomain(domain.trim()) ?? ''}`,
    username === undefined ? undefined : beginsWith(sql`lower(account.username)`, username),
    displayName === undefined
      ? undefined
      : sql`account.display_name <> '' and ${beginsWith(sql`lower(left(account.display_name, 64))`, displayName)}`,
  ];
  return { ofAccount: present(ofAccount), ofUser: userConditions(filters) };
}

function userConditions({ status, roleIds, invitedBy, email, ip }: AccountFilters): Condition[] {
  return present([
    status && stateConditions[status].ofUser,
    roleIds === undefined ? undefined : sql<boolean>`"user".role_id = any(${roleIds}::bigint[])`,
    // The index of staff has this condition.
    roleIds === undefined || roleIds.includes(everyoneRoleId)
      ? undefined
      : sql<boolean>`"user".role_id <> ${sql.lit(everyoneRoleId)}::bigint`,
    invitedBy === undefined
      ? undefined
      : sql`"user".invite_id in (
          select invites.id from invites join users inviter on inviter.id = invites.user_id
          where inviter.account_id = ${invitedBy})`,
    email === undefined ? undefined : sql`lower("user".email) like any(${emailPatterns(email)}::text[])`,
    ip === undefined ? undefined : ipCondition(ip),
  ]);
}

const notSuspended = sql<boolean>`account.suspended_at is null`;

const stateConditions: Readonly<Record<AccountStatus, { ofAccount?: Condition; ofUser?: Condition }>> = {
  active: { ofAccount: notSuspended },
  pending: { ofUser: sql<boolean>`not "user".approved` },
  disabled: { ofAccount: notSuspended, ofUser: sql<boolean>`"user".disabled` },
  silenced: { ofAccount: sql<boolean>`account.silenced_at is not null` },
  suspended: { ofAccount: sql<boolean>`account.suspended_at is not null` },
  sensitized: { ofAccount: sql<boolean>`account.sensitized_at is not null` },
};

const present = (conditions: readonly (Condition | undefined)[]): Condition[] =>
  conditions.filter((condition) => condition !== undefined);

/** Escapes the wildcards of LIKE. */
const escapePattern = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** The last character of Unicode. */
const lastCharacter = '\u{10FFFF}';

/** Compares as the indexes for beginnings do. A prepared LIKE could not use them, because it does not know its pattern. */
function beginsWith(column: RawBuilder<unknown>, text: string): Condition {
  const prefix = text.trim().slice(0, 64).toLowerCase();
  return sql<boolean>`(${column} ~>=~ ${prefix} and ${column} ~<~ ${prefix + lastCharacter})`;
}

function emailPatterns(text: string): string[] {
  const spellings = /[*%]/u.test(text) ? [text.trim().toLowerCase()] : emailSpellings(text);
  return spellings.map((spelling) => `${spelling.split(/[*%]+/u).map(escapePattern).join('%')}%`);
}

/** An invalid address matches nothing, as in Mastodon. */
function ipCondition(text: string): Condition {
  const network = parseNetwork(text.trim());
  if (network === undefined) return sql`false`;
  return sql`exists (
    select from user_ips used where used.user_id = "user".id and used.ip <<= ${network}::inet)`;
}

function parseNetwork(text: string): string | undefined {
  const [address = '', length, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return undefined;
  if (length === undefined) return address;
  return /^\d{1,3}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128) ? text : undefined;
}
