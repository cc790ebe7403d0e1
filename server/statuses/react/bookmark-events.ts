import { Type } from 'typebox';
import { defineEvent } from '../../platform/write/define-event.ts';
import { idSchema } from '../../platform/id-schema.ts';

const bookmark = Type.Object({ statusId: idSchema<'status'>(), accountId: idSchema<'account'>() });

export const statusBookmarked = defineEvent('status.bookmarked', bookmark, { onlyAdds: true });

export const statusUnbookmarked = defineEvent('status.unbookmarked', bookmark, { onlyAdds: true });
