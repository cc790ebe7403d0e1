import { Type } from 'typebox';
import { requireModerationRule } from '../../moderation-rules/manage/index.ts';
import { ModerationRule } from '../../moderation-rules/index.ts';
import { post, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { undoModerationRule } from './undo-rule.ts';

export const ruleRoutes: readonly Route[] = [
  post('/api/v1/fieldfare/admin/moderation_rules/:id/undo', {
    summary: 'Undo everything that a moderation rule did, in the background',
    access: 'staff:manage_rules',
    scope: 'admin:write',
    params: Type.Object({ id: idSchema<'moderation-rule'>() }),
    response: ModerationRule,
    async handle({ app, viewer, params: { id } }) {
      await undoModerationRule(app, viewer.accountId, id);
      return requireModerationRule(app, id);
    },
  }),
];
