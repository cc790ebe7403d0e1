// Tags: hashtags, by which posts of all servers are found together.
export { ensureTags } from './ensure-tags.ts';
export { findTag, type TagRow } from './find-tag.ts';
export { presentTags } from './present-tags.ts';
export { routes } from './routes.ts';
export { Tag } from './schema.ts';
