import { type Signal, useSignal } from '@preact/signals';
import { request } from '../api/client.ts';
import type { NotificationRequest } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { PlainPost, toPlainText } from '../status/index.ts';
import { usePages } from '../store/pages.ts';
import { Avatar } from '../ui/avatar.tsx';
import { confirm } from '../ui/confirm.tsx';
import { NameAndHandle } from '../ui/display-name.tsx';
import { EmptyState } from '../ui/states.tsx';
import { PagedList } from '../ui/paged-list.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { showError } from '../ui/toasts.tsx';
import './requests-page.css';

/** The senders of filtered notifications: one, several or all of them can be accepted or dismissed. */
export function RequestsPage() {
  const pages = usePages<NotificationRequest>('/api/v1/notifications/requests');
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const shown = pages.items.value;
  const answer = async (verb: 'accept' | 'dismiss', ids: readonly string[]): Promise<void> => {
    const restore = pages.removeWhere(({ id }) => ids.includes(id));
    selected.value = new Set();
    try {
      await request('POST', `/api/v1/notifications/requests/${verb}`, { body: { id: ids } });
    } catch (error) {
      restore();
      showError(error, () => void answer(verb, ids));
    }
  };
  const dismissSelected = async (): Promise<void> => {
    const ids = [...selected.value];
    const question = {
      title: t('notifications.dismissTitle', { count: ids.length }),
      text: t('notifications.dismissText'),
      action: t('notifications.dismissAction'),
    };
    if (await confirm(question)) await answer('dismiss', ids);
  };
  const toggle = (id: string): void => {
    const next = new Set(selected.value);
    if (!next.delete(id)) next.add(id);
    selected.value = next;
  };
  return (
    <>
      <PageHeader title={t('notifications.requests')} hasBack />
      <p class="requests-hint soft">
        {t('notifications.requestsHint')} <a href="/preferences/notifications">{t('notifications.changePolicy')}</a>
      </p>
      {shown.length > 0 && (
        <Tools
          all={shown}
          selected={selected}
          onAccept={() => void answer('accept', [...selected.value])}
          onDismiss={() => void dismissSelected()}
        />
      )}
      <PagedList
        pages={pages}
        label={t('notifications.requests')}
        empty={
          <EmptyState title={t('notifications.requestsEmpty')}>
            <p>{t('notifications.requestsEmptyHint')}</p>
          </EmptyState>
        }
        keyOf={({ id }) => id}
        render={(item) => (
          <RequestRow
            item={item}
            isSelected={selected.value.has(item.id)}
            onToggle={() => toggle(item.id)}
            onAnswer={(verb) => void answer(verb, [item.id])}
          />
        )}
      />
    </>
  );
}

interface ToolsProps {
  readonly all: readonly NotificationRequest[];
  readonly selected: Signal<ReadonlySet<string>>;
  readonly onAccept: () => void;
  readonly onDismiss: () => void;
}

function Tools({ all, selected, onAccept, onDismiss }: ToolsProps) {
  const { size } = selected.value;
  return (
    <div class="requests-tools">
      <label>
        <input
          type="checkbox"
          checked={size === all.length}
          onChange={({ currentTarget }) =>
            (selected.value = new Set(currentTarget.checked ? all.map(({ id }) => id) : []))
          }
        />{' '}
        {t('notifications.selectAll')}
      </label>
      <button type="button" class="button" disabled={size === 0} onClick={onAccept}>
        {t('notifications.acceptSelected')}
      </button>
      <button type="button" class="button quiet" disabled={size === 0} onClick={onDismiss}>
        {t('notifications.dismissSelected')}
      </button>
    </div>
  );
}

interface RequestRowProps {
  readonly item: NotificationRequest;
  readonly isSelected: boolean;
  readonly onToggle: () => void;
  readonly onAnswer: (verb: 'accept' | 'dismiss') => void;
}

function RequestRow({ item, isSelected, onToggle, onAnswer }: RequestRowProps) {
  const { account, last_status: status, notifications_count: count } = item;
  return (
    <div class="request">
      <input
        type="checkbox"
        checked={isSelected}
        aria-label={t('notifications.selectFrom', { name: `@${account.acct}` })}
        onChange={onToggle}
      />
      <a class="request-link" href={`/notifications/requests/${item.id}`}>
        <Avatar account={account} size={44} />
        <span class="request-text">
          <span class="name-line">
            <NameAndHandle account={account} />
          </span>
          {status !== null && (
            <span class="request-post soft" dir="auto">
              <PlainPost
                text={status.spoiler_text === '' ? toPlainText(status.content) : status.spoiler_text}
                emojis={status.emojis}
              />
            </span>
          )}
          <span class="soft small">
            {t('notifications.requestCount', { count: Number(count) })} · <RelativeTime time={item.updated_at} />
          </span>
        </span>
      </a>
      <span class="request-buttons">
        <button type="button" class="button" onClick={() => onAnswer('accept')}>
          {t('notifications.accept')}
        </button>
        <button type="button" class="button quiet" onClick={() => onAnswer('dismiss')}>
          {t('notifications.dismissRequest')}
        </button>
      </span>
    </div>
  );
}
