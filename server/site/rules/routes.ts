import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { del, get, post, put, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { addRule, deleteRule, editRule } from './change-rules.ts';
import { listRules } from './list-rules.ts';
import { moveRule } from './move-rule.ts';
import { AdminRule } from './schema.ts';
import { deleteRuleTranslation, translateRule } from './translate-rules.ts';

const readAccess = { access: 'staff:manage_rules', scope: 'admin:read' } as const;
const writeAccess = { access: 'staff:manage_rules', scope: 'admin:write' } as const;
const params = Type.Object({ id: idSchema<'rule'>() });
const translationParams = Type.Object({ id: idSchema<'rule'>(), language: Type.String() });
const text = Type.Optional(Type.String());
const position = Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 }));

/** Mastodon has no API for its rules. */
export const ruleRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/rules', {
    summary: 'List the rules in their order, with their translations',
    ...readAccess,
    response: Type.Array(AdminRule),
    handle: ({ app }) => presentRules(app),
  }),
  post('/api/v1/fieldfare/admin/rules', {
    summary: 'Add a rule, by default at the end of the list',
    ...writeAccess,
    input: Type.Object({ text: Type.String(), hint: text, position }),
    response: AdminRule,
    handle: async ({ app, viewer, input }) => presentRule(app, await addRule(app, viewer.accountId, input)),
  }),
  put('/api/v1/fieldfare/admin/rules/:id', {
    summary: 'Change a rule',
    ...writeAccess,
    params,
    input: Type.Object({ text, hint: text, position }),
    response: AdminRule,
    async handle({ app, viewer, params: { id }, input }) {
      await editRule(app, viewer.accountId, id, input);
      return presentRule(app, id);
    },
  }),
  post('/api/v1/fieldfare/admin/rules/:id/move', {
    summary: 'Move a rule to a place in the list, of which the first is 1',
    ...writeAccess,
    params,
    input: Type.Object({ place: Type.Integer() }),
    response: Type.Array(AdminRule),
    async handle({ app, viewer, params: { id }, input }) {
      await moveRule(app, viewer.accountId, id, input.place);
      return presentRules(app);
    },
  }),
  del('/api/v1/fieldfare/admin/rules/:id', {
    summary: 'Delete a rule; reports that refer to it keep it',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await deleteRule(app, viewer.accountId, id);
      return {};
    },
  }),
  put('/api/v1/fieldfare/admin/rules/:id/translations/:language', {
    summary: 'Add or replace the translation of a rule',
    ...writeAccess,
    params: translationParams,
    input: Type.Object({ text: Type.String(), hint: text }),
    response: AdminRule,
    async handle({ app, viewer, params: { id, language }, input: { text: translated, hint = '' } }) {
      await translateRule(app, viewer.accountId, id, { language, text: translated, hint });
      return presentRule(app, id);
    },
  }),
  del('/api/v1/fieldfare/admin/rules/:id/translations/:language', {
    summary: 'Delete the translation of a rule',
    ...writeAccess,
    params: translationParams,
    response: AdminRule,
    async handle({ app, viewer, params: { id, language } }) {
      await deleteRuleTranslation(app, viewer.accountId, id, language);
      return presentRule(app, id);
    },
  }),
];

const presentRules = async (app: App): Promise<AdminRule[]> =>
  (await listRules(app)).map(({ id, text: original, hint, position: place, translations }) => ({
    id,
    text: original,
    hint,
    position: place,
    translations: { ...translations },
  }));

/** Throws 404 if the rule was deleted at the same time. */
async function presentRule(app: App, id: string): Promise<AdminRule> {
  const rule = (await presentRules(app)).find((each) => each.id === id);
  if (rule === undefined) throw notFound();
  return rule;
}
