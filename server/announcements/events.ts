import { Type } from 'typebox';
import { defineEvent } from '../platform/write/define-event.ts';
import { idSchema } from '../platform/id-schema.ts';

const announcement = Type.Object({ announcementId: idSchema<'announcement'>() });

/** An announcement became visible: it was published, or its time came. */
export const announcementPublished = defineEvent('announcement.published', announcement, { onlyAdds: true });

/** Staff changed an announcement that stays visible. */
export const announcementEdited = defineEvent('announcement.edited', announcement);

/** A visible announcement expired, was withdrawn or deleted. Its reactions cause no events. */
export const announcementUnpublished = defineEvent('announcement.unpublished', announcement);

/** The number of reactions with one emoji changed. */
export const announcementReactionsChanged = defineEvent(
  'announcement.reactions_changed',
  Type.Object({ announcementId: idSchema<'announcement'>(), name: Type.String() }),
);
