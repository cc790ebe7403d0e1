import type { StatusId } from '../platform/ids.ts';

/** Less than every id. */
export const minId = '0' as StatusId;
/** Greater than every id. */
export const maxId = '9223372036854775807' as StatusId;
