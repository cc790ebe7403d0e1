import { Type } from 'typebox';
import { post } from '../platform/http/routes.ts';
import { idSchema } from '../platform/id-schema.ts';
import { loadUser } from '../users/index.ts';
import { Translation } from './schema.ts';
import { translateStatus } from './translate-status.ts';

export const routes = [
  post('/api/v1/statuses/:id/translate', {
    summary: 'Translate a public status',
    access: 'user',
    scope: 'read|read:statuses',
    params: Type.Object({ id: idSchema<'status'>() }),
    input: Type.Object({ lang: Type.Optional(Type.String({ description: 'Default: the language of the user' })) }),
    response: Translation,
    async handle({ app, viewer, params: { id: statusId }, input: { lang } }) {
      const language = lang ?? (await loadUser(app, viewer.userId)).locale;
      return translateStatus(app, viewer.accountId, { statusId, language });
    },
  }),
];
