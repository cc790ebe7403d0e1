// Tags: the hashtags themselves, a name and an id each. What accounts do with them is in the domain `hashtags`.
export { ensureTags } from './ensure-tags.ts';
export { findTag, findTagById, findTagsByName, type TagRow } from './find-tag.ts';
