// Posts that moderation rules hold until staff decide about them.
export { claimHeldPostsToMail, isAnyUnmailed, type HeldPostToMail } from './claim-held-posts.ts';
export { rejectHeldPosts } from './decide-held-post.ts';
export { countHeldPosts, listHeldPosts, requireHeldPost, type HeldPostRow } from './find-held-posts.ts';
export { presentHeldPost, presentHeldPosts } from './present-held-posts.ts';
export { publishHeldPost } from './publish-held-post.ts';
export { HeldPost, HeldPostStateInput } from './schema.ts';
export { deleteHeldPostByUri } from './withdraw-held-post.ts';
export { statusHeld } from './events.ts';
