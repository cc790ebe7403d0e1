// Custom emojis as staff manage them.
export { addEmoji, deleteEmoji, setEmojiDisabled, type NewEmoji } from './change-emojis.ts';
export { copyEmoji } from './copy-emoji.ts';
export { findEmojiReference, listEmojisForStaff } from './list-emojis.ts';
export { listLocalImages } from './list-local-images.ts';
export { type EmojiReference } from './lock-emoji.ts';
export { purgeEmojis } from './purge-emojis.ts';
export { updateEmoji } from './update-emoji.ts';
