// Usernames that staff block for sign-ups and groups.
export { createUsernameBlock, deleteUsernameBlock, updateUsernameBlock } from './change-username-blocks.ts';
export { checkUsername, findUsernameBlockId, listUsernameBlocks } from './find-username-blocks.ts';
export { normalizeUsername } from './normalize-username.ts';
