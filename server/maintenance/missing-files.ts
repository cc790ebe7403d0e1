import { findMissingFiles, removeMissingPreview } from '../media/usage/index.ts';
import type { MediaId } from '../platform/ids.ts';
import { nextCursor, type Check } from './checks.ts';

const pageSize = 500;

export const missingFiles: Check = {
  name: 'missing-files',
  description:
    'Attachments whose file is not in the storage (repaired if an image only lacks its preview; else restore it)',
  async examine(app, after) {
    const { ids, incomplete } = await findMissingFiles(app, after as MediaId, pageSize);
    return { wrong: incomplete, next: nextCursor(ids, pageSize) };
  },
  repairOne: (app, id) => removeMissingPreview(app, id as MediaId),
};
