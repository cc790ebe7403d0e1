// Posting and deleting statuses, their mentions and URIs.
export { addMentions } from './add-mentions.ts';
export { addRecipient } from './add-recipient.ts';
export { deleteStatus, deleteStatusIn } from './delete-status.ts';
export { deleteUnusedConversations } from './delete-unused-conversations.ts';
export { formatStatusText } from './format-status-text.ts';
export { findThreadByIdempotencyKey } from './idempotency-keys.ts';
export { parseIdempotencyKey } from './idempotency-header.ts';
export { postStatus } from './post-status.ts';
export { removeCards } from './remove-cards.ts';
export { maxStatusCharacters } from './status-text.ts';
export { statusUri, statusUrl } from './urls.ts';
