// Edits of posts: by their authors, and the mark of staff that a post is sensitive.
export { setStatusSensitive } from './mark-sensitive.ts';
