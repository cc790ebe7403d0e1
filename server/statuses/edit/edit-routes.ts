import { Type } from 'typebox';
import { maxImageBytes } from '../../media/index.ts';
import { fileSchema } from '../../platform/http/parse-params.ts';
import { put } from '../../platform/http/routes.ts';
import { idSchema, uncheckedIdSchema } from '../../platform/id-schema.ts';
import { PollInput } from '../../polls/index.ts';
import { QuotePolicyInput } from '../../quotes/policy/index.ts';
import { editStatus } from './edit-status.ts';
import { presentStatus } from '../read/present-statuses.ts';
import { ContentType, Status } from '../schema.ts';

const text = Type.Optional(Type.String());

export const editRoutes = [
  put('/api/v1/statuses/:id', {
    summary:
      'Edit a status. Omitted parameters are cleared, except for the language, the content type and the quote policy',
    access: 'user',
    scope: 'write|write:statuses',
    rateLimit: 'statuses',
    // Room for a thumbnail, also as base64.
    bodyLimit: 2 * maxImageBytes,
    allowSlowBody: true,
    params: Type.Object({ id: idSchema<'status'>() }),
    input: Type.Object({
      status: text,
      content_type: Type.Optional(ContentType),
      spoiler_text: text,
      sensitive: Type.Optional(Type.Boolean()),
      language: text,
      media_ids: Type.Optional(Type.Array(uncheckedIdSchema())),
      media_attributes: Type.Optional(
        Type.Array(
          Type.Object({
            id: uncheckedIdSchema(),
            description: text,
            focus: text,
            thumbnail: Type.Optional(fileSchema()),
          }),
          {
            description: 'Changed descriptions, focal points and thumbnails of attachments',
          },
        ),
      ),
      poll: Type.Optional(PollInput),
      quote_approval_policy: Type.Optional(QuotePolicyInput),
    }),
    response: Status,
    async handle({ app, viewer, params: { id }, input }) {
      await editStatus(app, viewer.accountId, id, {
        text: input.status,
        contentType: input.content_type,
        spoilerText: input.spoiler_text,
        sensitive: input.sensitive,
        language: input.language,
        mediaIds: input.media_ids,
        mediaChanges: input.media_attributes,
        poll: input.poll,
        quotePolicy: input.quote_approval_policy,
      });
      return presentStatus(app, viewer, id);
    },
  }),
];
