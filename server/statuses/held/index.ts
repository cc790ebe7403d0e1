// Posts that moderation rules hold until staff decide about them.
export { rejectHeldPost } from './decide-held-post.ts';
export { listHeldPosts, requireHeldPost, type HeldPostRow } from './find-held-posts.ts';
export { presentHeldPost, presentHeldPosts } from './present-held-posts.ts';
export { publishHeldPost } from './publish-held-post.ts';
export { HeldPost, HeldPostStateInput } from './schema.ts';
export { deleteHeldPostByUri } from './withdraw-held-post.ts';
