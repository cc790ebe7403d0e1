// Threads: several posts that one request publishes.
export { assertPosts } from './check-posts.ts';
export { fieldsError } from './field-errors.ts';
export { presentThread } from './present-thread.ts';
export { publishThread, type Thread } from './publish-thread.ts';
export { parsePosts } from './parse-posts.ts';
export { ThreadPost } from './schema.ts';
export { assertNotScheduled, scheduledAtInput } from './assert-not-scheduled.ts';
