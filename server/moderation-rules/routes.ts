import { Type } from 'typebox';
import { pageInput, paginated, parsePage } from '../platform/http/pages.ts';
import { del, get, post, put, type Route } from '../platform/http/routes.ts';
import { idSchema } from '../platform/id-schema.ts';
import { createModerationRule, deleteModerationRule, updateModerationRule } from './manage/change-rules.ts';
import { listModerationRules, listRuleMatches, requireModerationRule } from './manage/find-rules.ts';
import { ModerationRule, ModerationRuleMatch, RuleActionInput, RuleOriginInput, RuleSubjectInput } from './schema.ts';

const readAccess = { access: 'staff:manage_rules', scope: 'admin:read' } as const;
const writeAccess = { access: 'staff:manage_rules', scope: 'admin:write' } as const;
const limits = { defaultLimit: 100, maxLimit: 200 };
const params = Type.Object({ id: idSchema<'moderation-rule'>() });

const input = Type.Object({
  title: Type.Optional(Type.String({ description: 'For staff' })),
  enabled: Type.Optional(Type.Boolean({ description: 'False by default' })),
  subject: Type.Optional(RuleSubjectInput),
  origin: Type.Optional(RuleOriginInput),
  conditions: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'As in the entity ModerationRule' }),
  ),
  actions: Type.Optional(Type.Array(RuleActionInput)),
  score: Type.Optional(Type.Integer({ description: '1 to 100; 100 by default' })),
});

export const moderationRuleRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/moderation_rules', {
    summary: 'List the moderation rules, newest first',
    ...readAccess,
    input: Type.Object({
      ...pageInput(limits),
      enabled: Type.Optional(Type.Boolean({ description: 'Only enabled or disabled ones' })),
    }),
    response: Type.Array(ModerationRule),
    async handle({ app, input: { enabled, ...page }, request }) {
      const { rules, ...ends } = await listModerationRules(app, parsePage(page, limits), { enabled });
      return paginated(app, request, { json: rules, ...ends });
    },
  }),
  post('/api/v1/fieldfare/admin/moderation_rules', {
    summary: 'Add a moderation rule',
    ...writeAccess,
    input,
    response: ModerationRule,
    handle: ({ app, viewer, input: values }) => createModerationRule(app, viewer.accountId, values),
  }),
  get('/api/v1/fieldfare/admin/moderation_rules/:id', {
    summary: 'Show a moderation rule',
    ...readAccess,
    params,
    response: ModerationRule,
    handle: ({ app, params: { id } }) => requireModerationRule(app, id),
  }),
  put('/api/v1/fieldfare/admin/moderation_rules/:id', {
    summary: 'Change the given properties of a moderation rule',
    ...writeAccess,
    params,
    input,
    response: ModerationRule,
    handle: ({ app, viewer, params: { id }, input: values }) =>
      updateModerationRule(app, viewer.accountId, { ...values, id }),
  }),
  del('/api/v1/fieldfare/admin/moderation_rules/:id', {
    summary: 'Delete a moderation rule, with the list of what it did',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await deleteModerationRule(app, viewer.accountId, id);
      return {};
    },
  }),
  get('/api/v1/fieldfare/admin/moderation_rules/:id/matches', {
    summary: 'List what a moderation rule did, newest first',
    ...readAccess,
    params,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(ModerationRuleMatch),
    async handle({ app, params: { id }, input: page, request }) {
      const { matches, ...ends } = await listRuleMatches(app, id, parsePage(page, limits));
      return paginated(app, request, { json: matches, ...ends });
    },
  }),
];
