import { defineEvent } from '../platform/events/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';

/** The page of a card names an author (fediverse:creator) whom nobody here knows yet; see `setCreator`. */
export const creatorNamed = defineEvent('cardCreatorNamed', Type.Object({ cardId: idSchema<'card'>() }));
