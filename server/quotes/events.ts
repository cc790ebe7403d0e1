import { defineEvent } from '../platform/write/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/id-schema.ts';

const state = Type.Enum(['pending', 'accepted', 'rejected', 'revoked', 'deleted']);

/**
 * The quote of `statusId` by `accountId` changed its state. `new`: it was created; `gone`: it was deleted. The quoted
 * status is null if it is unknown.
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
    /** Length of the chain of quotes through which the post was fetched. */
    depth: Type.Integer(),
  }),
);
