import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';

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
export type MarkersByTimeline = Static<typeof MarkersByTimeline>;
