import { ConversationList } from '../conversations/index.ts';

/** The conversations of the account. One that is opened is marked as read, as on their page. */
export function ColumnConversations({ title }: { readonly title: string }) {
  return (
    // A region that scrolls can be scrolled by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div class="column-body" tabIndex={0} role="group" aria-label={title}>
      <ConversationList />
    </div>
  );
}
