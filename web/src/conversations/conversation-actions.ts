import { request } from '../api/client.ts';
import type { Conversation } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import type { Pages } from '../store/pages.ts';
import { confirm } from '../ui/confirm.tsx';
import { showError } from '../ui/toasts.tsx';

/** Shows a conversation with a new post first. */
export function moveToTop(pages: Pages<Conversation>, conversation: Conversation): void {
  pages.items.value = [conversation, ...pages.items.peek().filter(({ id }) => id !== conversation.id)];
}

/** Marks a conversation as read or unread at once; undone with a message if the server refuses. */
export async function markConversation(
  pages: Pages<Conversation>,
  conversation: Conversation,
  unread: boolean,
): Promise<void> {
  const set = (isUnread: boolean): void => {
    pages.items.value = pages.items
      .peek()
      .map((one) => (one.id === conversation.id ? { ...one, unread: isUnread } : one));
  };
  set(unread);
  try {
    await request('POST', `/api/v1/conversations/${conversation.id}/${unread ? 'unread' : 'read'}`);
  } catch (error) {
    set(!unread);
    showError(error, () => void markConversation(pages, conversation, unread));
  }
}

/** Asks, and removes a conversation from the list. Its posts stay. */
export async function removeConversation(pages: Pages<Conversation>, conversation: Conversation): Promise<void> {
  const question = {
    title: t('conversations.deleteTitle'),
    text: t('conversations.deleteText'),
    action: t('conversations.delete'),
  };
  if (!(await confirm(question))) return;
  const before = pages.items.peek();
  pages.items.value = before.filter(({ id }) => id !== conversation.id);
  try {
    await request('DELETE', `/api/v1/conversations/${conversation.id}`);
  } catch (error) {
    pages.items.value = before;
    showError(error, () => void removeConversation(pages, conversation));
  }
}
