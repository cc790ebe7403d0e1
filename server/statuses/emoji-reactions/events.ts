import { Type } from 'typebox';
import { defineEvent } from '../../platform/write/define-event.ts';
import { idSchema } from '../../platform/id-schema.ts';

/** `statusLocal`: the status is local; `name`: a Unicode emoji or a shortcode. */
const reaction = Type.Object({
  reactionId: idSchema<'row'>(),
  statusId: idSchema<'status'>(),
  accountId: idSchema<'account'>(),
  statusLocal: Type.Boolean(),
  name: Type.String(),
});

/** `accountId` reacted to a status with an emoji. */
export const statusReacted = defineEvent('status.reacted', reaction, { onlyAdds: true });

export const statusUnreacted = defineEvent('status.unreacted', reaction);
