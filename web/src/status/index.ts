// A post: its card, its short forms, and the rules for showing it.
export { FilteredStatus, isFilterOpen } from './filtered-status.tsx';
export { findFilters, isHidden } from './filters.ts';
export { copyLink, share } from './menu-actions.ts';
export { reloadModeratedGroups } from './moderated-groups.ts';
export { pathOf } from './paths.ts';
export { PlainPost } from './plain-post.tsx';
export { toPlainText } from './plain-text.ts';
export { type QuotePolicy, quotePolicyOf } from './quote-policy-of.ts';
export { StatusActions } from './status-actions.tsx';
export { StatusBody, StatusText } from './status-body.tsx';
export { StatusCard } from './status-card.tsx';
export { describeAudience, describeVisibility, VisibilityIcon } from './visibility-icon.tsx';
