import { Type, type Static } from 'typebox';

/** How far a timeline has been read. */
export const Marker = Type.Object({
  last_read_id: Type.String(),
  /** Grows with each change. */
  version: Type.Integer(),
  updated_at: Type.String({ format: 'date-time' }),
});
export type Marker = Static<typeof Marker>;

export const MarkersByTimeline = Type.Object({
  home: Type.Optional(Marker),
  notifications: Type.Optional(Marker),
});
