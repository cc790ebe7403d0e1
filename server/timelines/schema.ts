import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';
import type { JsonText } from '../platform/http/http-response.ts';
import type { StatusId } from '../platform/ids.ts';
import type { Status } from '../statuses/index.ts';

/** One page of a timeline. */
export interface Timeline {
  /** Newest first, as the viewer sees them. */
  readonly statuses: readonly JsonText<Status>[];
  /** Cursors of the pages of newer and older statuses, as `FilledPage` has them. */
  readonly first: StatusId | undefined;
  readonly last: StatusId | undefined;
}

/** The last read position in a timeline. */
export const Marker = entity('Marker', {
  last_read_id: Type.String(),
  /** Increases with each change. */
  version: Type.Integer(),
  updated_at: Type.String({ format: 'date-time' }),
});
export type Marker = Static<typeof Marker>;

export const MarkersByTimeline = entity('MarkersByTimeline', {
  home: Type.Optional(Marker),
  notifications: Type.Optional(Marker),
});
