import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';

const instant = Type.String({ format: 'date-time' });

/** A number of the dashboard by day (Admin::Measure). */
export const Measure = entity('Admin::Measure', {
  key: Type.String(),
  unit: Type.Union([Type.String(), Type.Null()], { description: 'bytes, or null for plain numbers' }),
  total: Type.String({ description: 'Of the range, or of all time if there is no previous_total' }),
  human_value: Type.Optional(Type.String({ description: 'The total for people, if it has a unit' })),
  previous_total: Type.Optional(Type.String({ description: 'Of the range of the same length before' })),
  data: Type.Array(Type.Object({ date: instant, value: Type.String() })),
});
export type Measure = Static<typeof Measure>;

/** The most frequent values of something (Admin::Dimension). */
export const Dimension = entity('Admin::Dimension', {
  key: Type.String(),
  data: Type.Array(
    Type.Object({
      key: Type.String(),
      human_key: Type.String(),
      value: Type.String(),
      unit: Type.Optional(Type.String()),
      human_value: Type.Optional(Type.String()),
    }),
  ),
});
export type Dimension = Static<typeof Dimension>;

/** Users who signed up in the same period, and how many of them were active in or after the later ones (Admin::Cohort). */
export const Cohort = entity('Admin::Cohort', {
  period: instant,
  frequency: Type.Enum(['day', 'month']),
  data: Type.Array(
    Type.Object({ date: instant, rate: Type.Number({ description: 'From 0 to 1' }), value: Type.String() }),
  ),
});
export type Cohort = Static<typeof Cohort>;
