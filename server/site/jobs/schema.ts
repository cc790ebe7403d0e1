import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';

export const jobState = Type.Union(
  [Type.Literal('waiting'), Type.Literal('running'), Type.Literal('retrying'), Type.Literal('exhausted')],
  { description: '`retrying` failed and waits for its next attempt; `exhausted` failed for the last time' },
);
const date = Type.String({ format: 'date-time' });

/** A stored job, for staff. Its data is left out: it may name people. */
export const AdminJob = entity('Fieldfare::Admin::Job', {
  id: idSchema<'job'>(),
  queue: Type.String(),
  name: Type.String({ description: 'Such as media.process; or of the event to which reactions are left' }),
  reactions: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Those to an event that did not run yet',
  }),
  state: jobState,
  host: Type.Union([Type.String(), Type.Null()], { description: 'The server with which it deals' }),
  attempts: Type.Integer(),
  run_at: Type.String({ format: 'date-time', description: 'When it is due' }),
  last_error: Type.Union([Type.String(), Type.Null()]),
});
export type AdminJob = Static<typeof AdminJob>;

/** How many jobs of a queue are in a state, for staff. */
export const AdminJobCount = entity('Fieldfare::Admin::JobCount', {
  queue: Type.String(),
  state: jobState,
  jobs: Type.Integer(),
  first_due_at: date,
});
export type AdminJobCount = Static<typeof AdminJobCount>;
