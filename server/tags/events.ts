import { Type } from 'typebox';
import { defineEvent } from '../platform/write/define-event.ts';
import { idSchema } from '../platform/id-schema.ts';

/** Staff decided about a hashtag. */
export const tagReviewed = defineEvent('tag.reviewed', Type.Object({ tagId: idSchema<'tag'>() }));
