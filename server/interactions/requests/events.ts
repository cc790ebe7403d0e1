import { Type } from 'typebox';
import { defineEvent } from '../../platform/write/define-event.ts';
import { idSchema } from '../../platform/id-schema.ts';

const request = {
  requestId: idSchema<'interaction-request'>(),
  kind: Type.Enum(['favourite', 'reply', 'reblog']),
  statusId: idSchema<'status'>(),
  authorId: idSchema<'account'>(),
  accountId: idSchema<'account'>(),
  replyId: Type.Union([idSchema<'status'>(), Type.Null()]),
};

/** An interaction of `accountId` with a post of `authorId` waits for the author. */
export const interactionRequested = defineEvent('interaction.requested', Type.Object(request), { onlyAdds: true });

/** The author of a post accepted, rejected or revoked an interaction. Some are accepted without having waited. */
export const interactionDecided = defineEvent(
  'interaction.decided',
  Type.Object({ ...request, state: Type.Enum(['accepted', 'rejected', 'revoked']) }),
);

/** `accountId` withdrew an interaction that waited for the author, or the author never answered. */
export const interactionWithdrawn = defineEvent(
  'interaction.withdrawn',
  Type.Object({ ...request, uri: Type.Union([Type.String(), Type.Null()]) }),
);
