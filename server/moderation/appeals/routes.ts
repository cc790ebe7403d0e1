import { Type } from 'typebox';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { get, post, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { approveAppeal, rejectAppeal } from './decide-appeal.ts';
import { findAppeal, listAppeals } from './list-appeals.ts';
import { AdminAppeal, appealStates } from './schema.ts';

const access = 'staff:manage_appeals';
const limits = { defaultLimit: 40, maxLimit: 80 };
const params = Type.Object({ id: idSchema<'appeal'>() });

const decisionRoute = (
  path: `/api/v1/fieldfare/admin/appeals/:id/${string}`,
  summary: string,
  decide: typeof approveAppeal,
) =>
  post(path, {
    summary,
    access,
    scope: 'admin:write',
    params,
    response: AdminAppeal,
    async handle({ app, viewer, params: { id } }) {
      await decide(app, viewer.accountId, id);
      return findAppeal(app, viewer, id);
    },
  });

/** Appeals for staff; Mastodon has no API for them. */
export const appealRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/appeals', {
    summary: 'List appeals of users against decisions of staff, newest first',
    access,
    scope: 'admin:read',
    input: Type.Object({
      ...pageInput(limits),
      state: Type.Optional(Type.Enum([...appealStates], { description: 'Pending ones by default' })),
    }),
    response: Type.Array(AdminAppeal),
    async handle({ app, viewer, request, input }) {
      const page = parsePage(input, limits);
      const { appeals, ...ends } = await listAppeals(app, viewer, { page, state: input.state ?? 'pending' });
      return paginated(app, request, { json: appeals, ...ends });
    },
  }),
  decisionRoute(
    '/api/v1/fieldfare/admin/appeals/:id/approve',
    'Approve an appeal and undo the decision',
    approveAppeal,
  ),
  decisionRoute('/api/v1/fieldfare/admin/appeals/:id/reject', 'Reject an appeal', rejectAppeal),
];
