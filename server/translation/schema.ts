import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';

/** A translated status. */
export const Translation = entity('Translation', {
  /** Safe HTML. */
  content: Type.String(),
  /** Plain text, like the following fields. */
  spoiler_text: Type.String(),
  language: Type.String(),
  poll: Type.Union([
    Type.Object({ id: idSchema<'poll'>(), options: Type.Array(Type.Object({ title: Type.String() })) }),
    Type.Null(),
  ]),
  media_attachments: Type.Array(
    Type.Object({ id: idSchema<'media'>(), description: Type.Union([Type.String(), Type.Null()]) }),
  ),
  detected_source_language: Type.String(),
  /** Name of the service. */
  provider: Type.String(),
});
export type Translation = Static<typeof Translation>;
