import { Type } from 'typebox';
import { defineEvent } from '../platform/write/define-event.ts';
import { idSchema } from '../platform/ids.ts';

/** Staff decided about a hashtag. */
export const tagReviewed = defineEvent('tag.reviewed', Type.Object({ tagId: idSchema<'tag'>() }));
