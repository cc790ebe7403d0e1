// A post: its card, its short forms, and the rules for showing it.
export { findFilters, isHidden } from './filters.ts';
export { pathOf } from './paths.ts';
export { PlainPost } from './plain-post.tsx';
export { toPlainText } from './plain-text.ts';
export { type QuotePolicy, quotePolicyOf } from './quote-policy-of.ts';
export { StatusCard } from './status-card.tsx';
export { isTranslatable, showOriginal, translate, translationOf } from './translations.ts';
export { describeVisibility, VisibilityIcon } from './visibility-icon.tsx';
