import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { pageEnds } from '../../platform/database/paged-query.ts';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { textBody } from '../../platform/http/text-bodies.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { exportLostFollowers, exportLostFollowing, pageOfSeverances } from '../severances/list-severances.ts';
import { presentSeverance } from '../severances/present-severances.ts';
import { RelationshipSeveranceEvent } from '../severances/schema.ts';

const access = { access: 'user', scope: 'follow|read|read:follows' } as const;
const limits = { defaultLimit: 40, maxLimit: 80 };
const params = Type.Object({ id: idSchema<'severance'>() });

const csv = (name: string, text: Readable): HttpResponse =>
  new HttpResponse({
    text,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
    },
  });

/** Follows that the viewer lost at once; Mastodon has pages for them. */
export const severanceRoutes: Route[] = [
  get('/api/v1/fieldfare/severed_relationships', {
    summary: 'List events that ended many of your follows at once, newest first',
    ...access,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(RelationshipSeveranceEvent),
    async handle({ app, viewer: { accountId }, input, request }) {
      const page = parsePage(input, limits);
      const rows = await pageOfSeverances(app, page, { accountId });
      return paginated(app, request, { json: rows.map(presentSeverance), ...pageEnds(page, rows) });
    },
  }),
  get('/api/v1/fieldfare/severed_relationships/:id/following', {
    summary: 'Return the accounts that you no longer follow, as CSV',
    ...access,
    params,
    response: textBody('text/csv'),
    handle: async ({ app, viewer, params: { id } }) =>
      csv(`following-${id}`, await exportLostFollowing(app, viewer.accountId, id)),
  }),
  get('/api/v1/fieldfare/severed_relationships/:id/followers', {
    summary: 'Return the followers that you lost, as CSV',
    ...access,
    params,
    response: textBody('text/csv'),
    handle: async ({ app, viewer, params: { id } }) =>
      csv(`followers-${id}`, await exportLostFollowers(app, viewer.accountId, id)),
  }),
];
