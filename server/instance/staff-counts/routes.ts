import { get, type Access, type Route } from '../../platform/http/routes.ts';
import { countForStaff, countPermissions } from './count-for-staff.ts';
import { AdminCounts } from './schema.ts';

const access: Access = `staff:${[...new Set(Object.values(countPermissions))].join('|')}`;

export const staffCountRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/counts', {
    summary: 'Count what waits for staff: reports, sign-ups, held posts and so on, as far as the role may see it',
    access,
    scope: 'admin:read',
    response: AdminCounts,
    handle: ({ app, viewer }) => countForStaff(app, viewer),
  }),
];
