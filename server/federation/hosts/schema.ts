import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';

const date = (description: string) =>
  Type.Union([Type.String({ format: 'date-time', description }), Type.Null()], { description });

/** A server with which activities are exchanged, for staff. */
export const AdminHost = entity('Fieldfare::Admin::Host', {
  domain: Type.String({ description: 'With its port if that is not the usual one' }),
  software: Type.Union([Type.String(), Type.Null()]),
  failures: Type.Integer({ description: 'Failed deliveries since the last success' }),
  failing_since: date('When deliveries began to fail; null: they do not'),
  last_success_at: date('Of a delivery'),
  last_failure_at: date('Of a delivery'),
  next_attempt_at: date('Until when deliveries wait; null: nothing holds them back'),
  paused_at: date('When staff stopped deliveries to it; null: they did not'),
  dead: Type.Boolean({ description: 'Deliveries failed for a week: it is sent nothing new until it sends something' }),
  deliveries: Type.Integer({ description: 'Activities that wait to be delivered to it, counted up to 10,000' }),
  last_error: Type.Union([Type.String(), Type.Null()], {
    description: 'Of the waiting delivery that was attempted last',
  }),
  failed_received: Type.Integer({ description: 'Activities from it that could not be processed' }),
});
export type AdminHost = Static<typeof AdminHost>;

/** Activities of one direction and state, for staff. */
export const AdminFederationQueue = entity('Fieldfare::Admin::FederationQueue', {
  direction: Type.Union([Type.Literal('deliveries'), Type.Literal('received')]),
  state: Type.Union(
    [Type.Literal('waiting'), Type.Literal('retrying'), Type.Literal('paused'), Type.Literal('exhausted')],
    {
      description:
        '`retrying` failed and waits for its next attempt; `paused` is for a server that staff paused; `exhausted` failed for the last time',
    },
  ),
  activities: Type.Integer(),
  first_due_at: date('When the first of them is due, or was'),
});
export type AdminFederationQueue = Static<typeof AdminFederationQueue>;

/** How many activities staff changed. */
export const ChangedActivities = Type.Object({
  deliveries: Type.Integer({ description: 'To the server' }),
  received: Type.Integer({ description: 'From the server' }),
});
