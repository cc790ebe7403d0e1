import { request } from '../api/client.ts';
import type { Conversation } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { Changes, setFields } from '../store/changes.ts';
import type { Pages } from '../store/pages.ts';
import { removeLater } from '../ui/remove-later.ts';
import { showError } from '../ui/toasts.tsx';

type Mark = Pick<Conversation, 'unread'>;
/** What the reader marks as read or unread in a list of conversations. */
export type Marks = Changes<Mark>;

export const createMarks = (pages: Pages<Conversation>): Marks =>
  new Changes<Mark>({
    peek: (id) => pages.items.peek().find((one) => one.id === id),
    show(id, { unread }) {
      pages.change((items) => items.map((one) => (one.id === id ? { ...one, unread } : one)));
    },
  });

/** Shows a conversation with a new post first. */
export function moveToTop(pages: Pages<Conversation>, marks: Marks, conversation: Conversation): void {
  const { unread } = marks.receive(conversation.id, conversation);
  pages.change((items) => [{ ...conversation, unread }, ...items.filter(({ id }) => id !== conversation.id)]);
}

/** Marks a conversation as read or unread at once; undone with a message if the server refuses. */
export function markConversation(marks: Marks, id: string, unread: boolean): void {
  const send = () => request<Conversation>('POST', `/api/v1/conversations/${id}/${unread ? 'unread' : 'read'}`);
  const onError = (error: unknown) => showError(error, () => markConversation(marks, id, unread));
  void marks.make(id, setFields<Mark>({ unread }, { send, onError }));
}

/** Returns the address of a conversation in the API. */
export const pathOf = ({ id }: Pick<Conversation, 'id'>): string => `/api/v1/conversations/${id}`;

/** Removes a conversation from the list, which can be undone for some seconds. Its posts stay. */
export const removeConversation = (pages: Pages<Conversation>, conversation: Conversation): Promise<boolean> =>
  removeLater({
    text: t('conversations.deleted'),
    path: pathOf(conversation),
    onRemoved: () => pages.removeWhere(({ id }) => id === conversation.id),
  });
