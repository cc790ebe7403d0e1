import { request } from '../api/client.ts';
import type { Conversation } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { Changes, setFields } from '../store/changes.ts';
import type { Pages } from '../store/pages.ts';
import { confirm } from '../ui/confirm.tsx';
import { showError } from '../ui/toasts.tsx';

type Mark = Pick<Conversation, 'unread'>;
/** What the reader marks as read or unread in a list of conversations. */
export type Marks = Changes<Mark>;

export const createMarks = (pages: Pages<Conversation>): Marks =>
  new Changes<Mark>({
    peek: (id) => pages.items.peek().find((one) => one.id === id),
    show(id, { unread }) {
      pages.items.value = pages.items.peek().map((one) => (one.id === id ? { ...one, unread } : one));
    },
  });

/** Shows a conversation with a new post first. */
export function moveToTop(pages: Pages<Conversation>, marks: Marks, conversation: Conversation): void {
  const { unread } = marks.receive(conversation.id, conversation);
  pages.items.value = [{ ...conversation, unread }, ...pages.items.peek().filter(({ id }) => id !== conversation.id)];
}

/** Marks a conversation as read or unread at once; undone with a message if the server refuses. */
export function markConversation(marks: Marks, id: string, unread: boolean): void {
  const send = () => request<Conversation>('POST', `/api/v1/conversations/${id}/${unread ? 'unread' : 'read'}`);
  const onError = (error: unknown) => showError(error, () => markConversation(marks, id, unread));
  void marks.make(id, setFields<Mark>({ unread }, { send, onError }));
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
