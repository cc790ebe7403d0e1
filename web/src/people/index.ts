// Accounts in lists, and what the reader does with them.
export { AccountRow } from './account-row.tsx';
export { AccountSearch } from './account-search.tsx';
export { domainOf } from './domain-of.ts';
export { FollowButton } from './follow-button.tsx';
export { answerFollowRequest } from './follow-request-actions.ts';
export { plainText } from './plain-text.ts';
export {
  removeFollower,
  saveNote,
  setEndorsed,
  unblockAccount,
  unblockDomain,
  unmuteAccount,
} from './relationship-actions.ts';
export { SuggestionRow, Suggestions, useSuggestions } from './suggestions.tsx';
