import { Type } from 'typebox';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { get, post, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { ModerationRuleTrial } from '../schema.ts';
import { listRuleTrials } from './find-trials.ts';
import { startRuleTrial } from './start-trial.ts';

const limits = { defaultLimit: 20, maxLimit: 40 };
const params = Type.Object({ id: idSchema<'moderation-rule'>() });

export const trialRoutes: readonly Route[] = [
  post('/api/v1/fieldfare/admin/moderation_rules/:id/trials', {
    summary: 'Compare a moderation rule with past posts, in the background and without any action',
    access: 'staff:manage_rules',
    scope: 'admin:write',
    params,
    input: Type.Object({
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, description: '1 to 30; 7 by default' })),
    }),
    response: ModerationRuleTrial,
    handle: ({ app, viewer, params: { id }, input: { days = 7 } }) =>
      startRuleTrial(app, viewer.accountId, { id, days }),
  }),
  get('/api/v1/fieldfare/admin/moderation_rules/:id/trials', {
    summary: 'List the trials of a moderation rule with their counts and samples, newest first',
    access: 'staff:manage_rules',
    scope: 'admin:read',
    params,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(ModerationRuleTrial),
    async handle({ app, params: { id }, input: page, request }) {
      const { trials, ...ends } = await listRuleTrials(app, id, parsePage(page, limits));
      return paginated(app, request, { json: trials, ...ends });
    },
  }),
];
