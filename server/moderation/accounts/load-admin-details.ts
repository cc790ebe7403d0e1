import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { AccountId, ApplicationId } from '../../platform/ids.ts';
import { effectivePermissionsSql, everyoneRoleId, type Role } from '../../users/access/index.ts';

/** What staff see of an account beside its profile. */
export interface AdminDetails {
  readonly id: AccountId;
  readonly username: string;
  readonly domain: string | null;
  readonly created_at: Date;
  readonly sensitized: boolean;
  /** Null for an account without a user. */
  readonly email: string | null;
  readonly locale: string | null;
  readonly invite_request: string | null;
  readonly confirmed: boolean | null;
  readonly approved: boolean | null;
  readonly disabled: boolean | null;
  readonly created_by_application_id: ApplicationId | null;
  readonly invited_by_account_id: AccountId | null;
  readonly role: Role | null;
  /** Most recent first. Timestamps as PostgreSQL writes them in JSON. */
  readonly ips: readonly { readonly ip: string; readonly used_at: string }[];
}

const detailRows = preparedQuery<AdminDetails>()((db, { ids }: { ids: readonly AccountId[] }) => ({
  compile: () =>
    sql<AdminDetails>`
      select account.id, account.username, account.domain, account.created_at,
        account.sensitized_at is not null as sensitized,
        users.email, users.locale, users.sign_up_reason as invite_request,
        users.confirmed_at is not null as confirmed, users.approved, users.disabled,
        users.created_by_application_id, inviter.account_id as invited_by_account_id,
        case when role.id is not null then json_build_object(
          'id', role.id::text, 'name', role.name, 'color', role.color, 'highlighted', role.highlighted,
          'permissions', ${effectivePermissionsSql(sql`role.permissions`, sql`everyone.permissions`)},
          'collection_limit', role.collection_limit) end as role,
        array(
          select json_build_object('ip', host(used.ip), 'used_at', used.used_at)
          from user_ips used where used.user_id = users.id order by used.used_at desc, used.ip) as ips
      from accounts account
        left join users on users.account_id = account.id
        left join roles role on role.id = users.role_id
        left join roles everyone on everyone.id = ${sql.lit(everyoneRoleId)}::bigint
        left join invites on invites.id = users.invite_id
        left join users inviter on inviter.id = invites.user_id
      where account.id = any(${ids}::bigint[]) and account.deleted_at is null`.compile(db),
}));

/** Loads what staff see of accounts beside their profiles. Unknown and deleted ones are left out. */
export const loadAdminDetails = (app: App, ids: readonly AccountId[]): Promise<AdminDetails[]> =>
  detailRows(app, { ids });
