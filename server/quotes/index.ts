// Quotes, their approval by the quoted author, and quote policies. Statuses decide who may see them.
export {
  acceptQuote,
  markQuotesDeleted,
  insertQuote,
  linkQuote,
  type NewQuote,
  markQuotedDeleted,
  type QuoteRow,
  rejectOrRevokeQuote,
  deleteQuotesOf,
  reopenQuote,
} from './change-quote.ts';
export { quoteChanged } from './events.ts';
export { findQuote, findQuoteOf, listQuotesByApproval, lockQuoteOf } from './find-quote.ts';
export type { QuoteId, QuoteState } from './tables.ts';
