// Custom emojis of remote servers.
export { deleteRemoteEmojis } from './delete-remote-emojis.ts';
