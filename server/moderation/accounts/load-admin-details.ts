import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { AccountId, ApplicationId, RoleId } from '../../platform/ids.ts';
import { presentRoles, type Role } from '../../users/access/index.ts';

/** What staff see of an account beside its profile. */
export interface AdminDetails {
  readonly id: AccountId;
  readonly username: string;
  readonly domain: string | null;
  readonly created_at: Date;
  readonly sensitized: boolean;
  /** Null for an account without a user. */
  readonly email: string | null;
  readonly unconfirmed_email: string | null;
  readonly locale: string | null;
  readonly invite_request: string | null;
  readonly confirmed: boolean | null;
  readonly approved: boolean | null;
  readonly disabled: boolean | null;
  readonly lacks_proof_of_work: boolean | null;
  readonly created_by_application_id: ApplicationId | null;
  readonly invited_by_account_id: AccountId | null;
  readonly role: Role | null;
  /** Most recent first. Timestamps as PostgreSQL writes them in JSON. */
  readonly ips: readonly { readonly ip: string; readonly used_at: string }[];
}

interface DetailRow extends Omit<AdminDetails, 'role' | 'ips'> {
  readonly role_id: RoleId | null;
  readonly ips: AdminDetails['ips'] | null;
}

const detailRows = preparedQuery<DetailRow>()((db, { ids }: { ids: readonly AccountId[] }) => ({
  compile: () =>
    sql<DetailRow>`
      select account.id, account.username, account.domain, account.created_at,
        account.sensitized_at is not null as sensitized,
        users.email, users.unconfirmed_email, users.locale, users.sign_up_reason as invite_request,
        users.confirmed_at is not null as confirmed, users.approved, users.disabled,
        users.lacks_proof_of_work, users.created_by_application_id, inviter.account_id as invited_by_account_id,
        users.role_id,
        (select json_agg(json_build_object('ip', host(used.ip), 'used_at', used.used_at)
          order by used.used_at desc, used.ip) from user_ips used where used.user_id = users.id) as ips
      from accounts account
        left join users on users.account_id = account.id
        left join invites on invites.id = users.invite_id
        left join users inviter on inviter.id = invites.user_id
      where account.id = any(${ids}::bigint[]) and account.deleted_at is null`.compile(db),
}));

/** Loads what staff see of accounts beside their profiles. Unknown and deleted ones are left out. */
export async function loadAdminDetails(app: App, ids: readonly AccountId[]): Promise<AdminDetails[]> {
  const [rows, roles] = await Promise.all([detailRows(app, { ids }), presentRoles(app)]);
  return rows.map(({ role_id: roleId, ips, ...row }) => ({
    ...row,
    role: roleId === null ? null : (roles.get(roleId) ?? null),
    ips: ips ?? [],
  }));
}
