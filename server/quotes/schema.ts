import { Type } from 'typebox';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/ids.ts';

/** How a quote stands for a viewer: as `QuoteState`, or why the viewer does not see what is quoted. */
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

/** The quote of a post that is itself shown as quoted. */
export const ShallowQuote = entity('ShallowQuote', {
  state: QuoteStateForViewer,
  quoted_status_id: Type.Union([idSchema<'status'>(), Type.Null()]),
});

const group = Type.Enum(['public', 'followers', 'following', 'unsupported_policy']);

/** Who may quote a post at once, who has to ask, and what the viewer may. */
export const QuoteApproval = entity('QuoteApproval', {
  automatic: Type.Array(group),
  manual: Type.Array(group),
  current_user: Type.Enum(['automatic', 'manual', 'denied', 'unknown']),
});

/** What the author of a post says about who may quote it. */
export const QuotePolicyInput = Type.Enum(['public', 'followers', 'nobody']);
