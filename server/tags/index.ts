// Tags: the hashtags themselves, a name and an id each. What accounts do with them is in the domain `hashtags`.
export { tagReviewed } from './events.ts';
export { ensureTags, publishTags } from './ensure-tags.ts';
export { type TagDecision, markReviewRequested, reviewTag } from './review-tag.ts';
export { findTag, findTagById, findTagsByName, type TagRow } from './find-tag.ts';
