// Decisions of staff about posts that moderation rules hold.
export { approveHeldPost, refuseHeldPost } from './decide.ts';
