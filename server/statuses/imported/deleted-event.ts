import { Type, type Static } from 'typebox';
import type { StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineEvent } from '../../platform/write/define-event.ts';
import type { statusDeleted } from '../events.ts';

/**
 * Imported statuses of `accountId` were deleted together. No feed, stream, webhook or other server knows them, so this is no
 * `statusDeleted`: only what also holds imported statuses reacts.
 */
export const importedStatusesDeleted = defineEvent(
  'status.imported_deleted',
  Type.Object({ accountId: idSchema<'account'>(), statusIds: Type.Array(idSchema<'status'>()) }),
);

/** Returns the ids of `statusDeleted` or `importedStatusesDeleted`. */
export const deletedIds = (
  deleted: Static<typeof statusDeleted.schema> | Static<typeof importedStatusesDeleted.schema>,
): readonly StatusId[] => ('statusIds' in deleted ? deleted.statusIds : [deleted.statusId]);
