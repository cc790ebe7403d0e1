import { Type } from 'typebox';
import { del, get, post, put, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { createPreset, deletePreset, updatePreset } from './change-presets.ts';
import { listPresets } from './list-presets.ts';
import { WarningPreset } from './schema.ts';

const writeAccess = { access: 'staff:manage_settings', scope: 'admin:write' } as const;
const params = Type.Object({ id: idSchema<'warning-preset'>() });

/** Texts that staff reuse in decisions; Mastodon has no API for them. */
export const presetRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/warning_presets', {
    summary: 'List the texts that staff reuse in decisions, by title',
    access: 'staff:manage_settings|manage_users|manage_reports',
    scope: 'admin:read',
    response: Type.Array(WarningPreset),
    handle: ({ app }) => listPresets(app),
  }),
  post('/api/v1/fieldfare/admin/warning_presets', {
    summary: 'Create a text that staff reuse in decisions',
    ...writeAccess,
    input: Type.Object({ title: Type.String(), text: Type.String() }),
    response: WarningPreset,
    handle: ({ app, viewer, input }) => createPreset(app, viewer.accountId, input),
  }),
  put('/api/v1/fieldfare/admin/warning_presets/:id', {
    summary: 'Change a text that staff reuse in decisions',
    ...writeAccess,
    params,
    input: Type.Object({ title: Type.Optional(Type.String()), text: Type.Optional(Type.String()) }),
    response: WarningPreset,
    handle: ({ app, viewer, params: { id }, input }) => updatePreset(app, viewer.accountId, { id, ...input }),
  }),
  del('/api/v1/fieldfare/admin/warning_presets/:id', {
    summary: 'Delete a text that staff reuse in decisions',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await deletePreset(app, viewer.accountId, id);
      return {};
    },
  }),
];
