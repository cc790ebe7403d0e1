import { Type } from 'typebox';
import { post } from '../../platform/http/routes.ts';
import { ContentType, StatusPreview } from '../schema.ts';
import { previewStatus } from './preview-status.ts';

export const previewRoutes = [
  post('/api/v1/fieldfare/statuses/preview', {
    summary: 'Show how a text would look as a status, without posting it',
    access: 'user',
    scope: 'read|read:statuses',
    input: Type.Object({
      status: Type.Optional(Type.String()),
      spoiler_text: Type.Optional(Type.String()),
      content_type: Type.Optional(ContentType),
    }),
    response: StatusPreview,
    handle: ({ app, viewer, input }) =>
      previewStatus(app, viewer.accountId, {
        text: input.status,
        spoilerText: input.spoiler_text,
        contentType: input.content_type,
      }),
  }),
];
