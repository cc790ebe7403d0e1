import { CopyBuffer } from './copy-buffer.ts';

/** Creates the buffers of all tables that posts are written to. */
export const createPostBuffers = () => ({
  conversations: new CopyBuffer('conversations', ['id', 'created_at']),
  statuses: new CopyBuffer(
    'statuses',
    'id account_id uri url local text content spoiler_text sensitive language visibility in_reply_to_id in_reply_to_account_id is_reply reblog_of_id conversation_id quote_policy created_at'.split(
      ' ',
    ),
  ),
  search: new CopyBuffer('status_search', ['status_id', 'terms']),
  quotes: new CopyBuffer(
    'quotes',
    'id status_id account_id quoted_status_id quoted_account_id quoted_uri state approval_uri created_at'.split(' '),
  ),
  accountConversations: new CopyBuffer(
    'account_conversations',
    'id account_id conversation_id participant_ids status_ids last_status_id unread'.split(' '),
  ),
  mentions: new CopyBuffer('mentions', ['id', 'status_id', 'account_id', 'silent']),
  tags: new CopyBuffer('status_tags', ['tag_id', 'status_id']),
  favourites: new CopyBuffer('favourites', ['id', 'account_id', 'status_id', 'created_at', 'uri']),
  notifications: new CopyBuffer('notifications', [
    'account_id',
    'id',
    'type',
    'from_account_id',
    'status_id',
    'group_key',
    'created_at',
  ]),
});
