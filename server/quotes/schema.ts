import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';

/** The state of a quote for a viewer: a `QuoteState`, or why the quoted post is hidden. */
export const QuoteStateForViewer = Type.Enum([
  'pending',
  'accepted',
  'rejected',
  'revoked',
  'deleted',
  'unauthorized',
  'blocked_account',
  'blocked_domain',
  'muted_account',
]);

/** The quote of a quoted post. */
export const ShallowQuote = entity('ShallowQuote', {
  state: QuoteStateForViewer,
  quoted_status_id: Type.Union([idSchema<'status'>(), Type.Null()]),
});
export type ShallowQuote = Static<typeof ShallowQuote>;
