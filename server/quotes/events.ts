import { defineEvent } from '../platform/events/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';

const state = Type.Enum(['pending', 'accepted', 'rejected', 'revoked', 'deleted']);

/**
 * The quote of `statusId`, a post of `accountId`, went from one state to another; `new`: there was none, `gone`: there is
 * none any more. What it quotes is null while it is not known here.
 */
export const quoteChanged = defineEvent(
  'quote.changed',
  Type.Object({
    quoteId: idSchema<'quote'>(),
    statusId: idSchema<'status'>(),
    accountId: idSchema<'account'>(),
    quotedStatusId: Type.Union([idSchema<'status'>(), Type.Null()]),
    quotedAccountId: Type.Union([idSchema<'account'>(), Type.Null()]),
    from: Type.Union([state, Type.Literal('new')]),
    to: Type.Union([state, Type.Literal('gone')]),
    /** Of a post that came only because another quotes it: how many posts quote each other down to it. */
    depth: Type.Integer(),
  }),
);
