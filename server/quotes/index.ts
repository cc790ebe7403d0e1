// Quotes: posts that show another post, whether its author agrees to that, and who may. Seeing them is up to the posts.
export {
  acceptQuote,
  endQuotesOf,
  insertQuote,
  linkQuote,
  type NewQuote,
  noteQuotedGone,
  type QuoteRow,
  refuseQuote,
  removeQuoteOf,
  reopenQuote,
} from './change-quote.ts';
export { quoteChanged } from './events.ts';
export { findQuote, findQuoteOf, findQuotesByApproval, lockQuoteOf } from './find-quote.ts';
export {
  groupsOf,
  policyAsks,
  policyOfChoice,
  quotePermission,
  storedPolicy,
  type QuoteGroup,
  type QuotePermission,
} from './quote-policy.ts';
export { QuoteApproval, QuotePolicyInput, QuoteStateSeen, ShallowQuote } from './schema.ts';
export type { QuoteId, QuoteState } from './tables.ts';
