// Hashtags as staff see and change them.
export { presentAdminTag, presentAdminTags } from './admin-tags.ts';
export { AdminTag } from './schema.ts';
