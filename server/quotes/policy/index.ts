// Who may quote a post, as its author chooses and as the viewer sees it.
export {
  loadQuotePermission,
  loadQuoteRelations,
  loadQuoteRelationsOfMany,
  renderQuoteApproval,
  type QuoteRelations,
} from './quote-approval.ts';
export { QuotePolicyInput } from './schema.ts';
export { decodeQuotePolicy, encodeQuotePolicy, quotePolicyFromSetting, type QuoteGroup } from './quote-policy.ts';
