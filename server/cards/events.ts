import { defineEvent } from '../platform/write/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/id-schema.ts';

/** The page of a card names an unknown account as its author (fediverse:creator); see `setCardCreator`. */
export const cardCreatorUnresolved = defineEvent(
  'card.creator_unresolved',
  Type.Object({ cardId: idSchema<'card'>() }),
  { onlyAdds: true },
);
