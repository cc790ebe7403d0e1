import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';

const group = Type.Enum(['public', 'followers', 'following', 'unsupported_policy']);

/** Who may quote a post at once, who needs approval, and which applies to the viewer. */
export const QuoteApproval = entity('QuoteApproval', {
  automatic: Type.Array(group),
  manual: Type.Array(group),
  current_user: Type.Enum(['automatic', 'manual', 'denied', 'unknown']),
});
export type QuoteApproval = Static<typeof QuoteApproval>;

/** Who may quote a post, as its author chooses. */
export const QuotePolicyInput = Type.Enum(['public', 'followers', 'nobody']);
