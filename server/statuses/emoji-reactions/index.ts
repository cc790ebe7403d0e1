// Reactions to statuses with emojis.
export { deleteReaction, deleteReactionByUri, maxReactions, type ReactionEmoji } from './change-reactions.ts';
export { statusReacted, statusUnreacted } from './events.ts';
export { storeReaction } from './react-with-emoji.ts';
