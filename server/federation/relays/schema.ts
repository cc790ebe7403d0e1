import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';

export const relayKind = Type.Union([Type.Literal('mastodon'), Type.Literal('litepub')]);

/** A server that passes public posts on between its subscribers. */
export const Relay = entity('Fieldfare::Relay', {
  id: idSchema<'relay'>(),
  url: Type.String({ description: 'The inbox of a relay of the kind mastodon, the actor of one of the kind litepub' }),
  kind: relayKind,
  state: Type.Union(
    [Type.Literal('idle'), Type.Literal('pending'), Type.Literal('accepted'), Type.Literal('rejected')],
    { description: 'idle: not subscribed; pending: the relay has not answered yet' },
  ),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});
export type Relay = Static<typeof Relay>;
