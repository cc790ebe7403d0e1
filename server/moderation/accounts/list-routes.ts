import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { joinJsonList, type HttpResponse } from '../../platform/http/http-response.ts';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { get, type CurrentUser, type RequestContext, type Route } from '../../platform/http/routes.ts';
import { filterIdSchema } from '../../platform/id-schema.ts';
import { accountStatuses, type AccountFilters } from './account-filters.ts';
import { filtersFromLegacy, isSet, legacyFlags } from './legacy-filters.ts';
import { listAdminAccounts } from './list-admin-accounts.ts';
import { presentAdminAccounts } from './present-admin-accounts.ts';
import { AdminAccount } from './schema.ts';
import { intersectRoles, listStaffRoles } from './staff-roles.ts';

const limits = { defaultLimit: 100, maxLimit: 200 };
const readAccess = { access: 'staff:manage_users', scope: 'admin:read|admin:read:accounts' } as const;
const text = (description: string) => Type.Optional(Type.String({ description }));

const textFilters = {
  username: text('The beginning of the username'),
  display_name: text('The beginning of the display name'),
  by_domain: text('The domain of remote accounts'),
  email: text('The beginning of the e-mail address; * stands for any characters'),
  ip: text('An address that the user used, or a network such as 192.0.2.0/24'),
};

interface TextFilters {
  username?: string;
  display_name?: string;
  by_domain?: string;
  email?: string;
  ip?: string;
}

export const accountListRoutes: readonly Route[] = [
  get('/api/v1/admin/accounts', {
    summary: 'List accounts for staff with the old filters, newest first; without filters local active ones',
    ...readAccess,
    input: Type.Object({ ...pageInput(limits), ...legacyFlags, ...textFilters }),
    response: Type.Array(AdminAccount),
    async handle({ app, viewer, request, input }) {
      const roleIds = isSet(input.staff) ? await listStaffRoles(app) : undefined;
      const filters = { ...toTextFilters(input), ...filtersFromLegacy(input), roleIds };
      return respond(app, { viewer, request, input }, filters);
    },
  }),
  get('/api/v2/admin/accounts', {
    summary: 'List accounts for staff, newest first',
    ...readAccess,
    input: Type.Object({
      ...pageInput(limits),
      origin: Type.Optional(Type.Enum(['local', 'remote'])),
      status: Type.Optional(Type.Enum([...accountStatuses])),
      permissions: Type.Optional(Type.Enum(['staff'])),
      role_ids: Type.Optional(Type.Array(filterIdSchema<'role'>())),
      invited_by: Type.Optional(filterIdSchema<'account'>()),
      ...textFilters,
    }),
    response: Type.Array(AdminAccount),
    async handle({ app, viewer, request, input }) {
      const staffRoles = input.permissions === undefined ? undefined : await listStaffRoles(app);
      return respond(
        app,
        { viewer, request, input },
        {
          ...toTextFilters(input),
          origin: input.origin,
          status: input.status,
          roleIds: intersectRoles(input.role_ids, staffRoles),
          invitedBy: input.invited_by,
        },
      );
    },
  }),
];

/** A blank text counts as absent. */
function toTextFilters({ username, display_name, by_domain, email, ip }: TextFilters): AccountFilters {
  const given = (value: string | undefined) => (value?.trim() ? value : undefined);
  return {
    username: given(username),
    displayName: given(display_name),
    domain: given(by_domain),
    email: given(email),
    ip: given(ip),
  };
}

async function respond(
  app: App,
  received: { viewer: CurrentUser; request: RequestContext; input: Parameters<typeof parsePage>[0] },
  filters: AccountFilters,
): Promise<HttpResponse> {
  const { ids, ...ends } = await listAdminAccounts(app, parsePage(received.input, limits), filters);
  const accounts = await presentAdminAccounts(app, received.viewer, ids);
  const json = joinJsonList(ids.flatMap((id) => accounts.get(id)?.json ?? []));
  return paginated(app, received.request, { json, ...ends });
}
