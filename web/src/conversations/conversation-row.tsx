import more from '@phosphor-icons/core/regular/dots-three.svg?raw';
import envelopeOpen from '@phosphor-icons/core/regular/envelope-simple-open.svg?raw';
import envelope from '@phosphor-icons/core/regular/envelope-simple.svg?raw';
import trash from '@phosphor-icons/core/regular/trash.svg?raw';
import type { Conversation, Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { PlainPost, toPlainText } from '../status/index.ts';
import type { Pages } from '../store/pages.ts';
import { storeStatus } from '../store/statuses.ts';
import { Avatar } from '../ui/avatar.tsx';
import { directionOf, DisplayName, nameOf } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { markConversation, removeConversation, type Marks } from './conversation-actions.ts';
import './conversation-row.css';

interface ConversationRowProps {
  readonly conversation: Conversation;
  readonly pages: Pages<Conversation>;
  readonly marks: Marks;
}

/** A conversation: its people and its newest post, as a link to the thread. */
export function ConversationRow({ conversation, pages, marks }: ConversationRowProps) {
  const { accounts, last_status: status, unread } = conversation;
  if (status === null) return null;
  const [first = status.account] = accounts;
  const open = (): void => {
    storeStatus(status);
    if (unread) markConversation(marks, conversation.id, false);
  };
  return (
    <article class={unread ? 'conversation unread' : 'conversation'}>
      <a class="conversation-link" href={`/@${status.account.acct}/${status.id}`} onClick={open}>
        <Avatar account={first} size={48} />
        <span class="conversation-text">
          <span class="conversation-head">
            <span class="one-line" dir={directionOf(nameOf(first))}>
              {unread && <span class="visually-hidden">{t('conversations.unread')} </span>}
              <Names accounts={accounts} />
            </span>{' '}
            <span class="soft small">
              <RelativeTime time={status.created_at} />
            </span>
          </span>
          <Preview status={status} />
        </span>
      </a>
      <Menu
        label={t('conversations.options', { name: `@${first.acct}` })}
        button={<Icon svg={more} />}
        items={[
          {
            label: unread ? t('conversations.markRead') : t('conversations.markUnread'),
            icon: <Icon svg={unread ? envelopeOpen : envelope} />,
            onSelect: () => markConversation(marks, conversation.id, !unread),
          },
          {
            label: t('conversations.delete'),
            icon: <Icon svg={trash} />,
            isDangerous: true,
            onSelect: () => void removeConversation(pages, conversation),
          },
        ]}
      />
    </article>
  );
}

function Names({ accounts }: Pick<Conversation, 'accounts'>) {
  if (accounts.length === 0) return <strong>{t('conversations.onlyYou')}</strong>;
  return (
    <>
      {accounts.map((account, index) => (
        <span key={account.id}>
          {index > 0 && ', '}
          <strong>
            <DisplayName account={account} />
          </strong>
        </span>
      ))}
    </>
  );
}

function Preview({ status }: { readonly status: Status }) {
  const { spoiler_text: warning, content, emojis, media_attachments: media } = status;
  const text = warning === '' ? toPlainText(content) : warning;
  return (
    <span class="conversation-post soft" dir="auto">
      {text === '' ? (
        t('notifications.attachments', { count: media.length })
      ) : (
        <PlainPost text={text} emojis={emojis} />
      )}
    </span>
  );
}
