import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';

/** How far a timeline has been read. */
export const Marker = entity('Marker', {
  last_read_id: Type.String(),
  /** Grows with each change. */
  version: Type.Integer(),
  updated_at: Type.String({ format: 'date-time' }),
});
export type Marker = Static<typeof Marker>;

export const MarkersByTimeline = entity('MarkersByTimeline', {
  home: Type.Optional(Marker),
  notifications: Type.Optional(Marker),
});
