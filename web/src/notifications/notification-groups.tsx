import { useSignalEffect } from '@preact/signals';
import { Fragment, type RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { request } from '../api/client.ts';
import { t } from '../i18n/translate.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { isRemoved, removeLater } from '../ui/remove-later.ts';
import { EmptyState, ErrorState, LoadingPosts } from '../ui/states.tsx';
import type { ShownGroup } from './group-notifications.ts';
import type { NotificationList } from './notification-list.ts';
import { NotificationRow } from './notification-row.tsx';
import type { ReadMarker } from './read-marker.ts';
import './notification-groups.css';

interface NotificationGroupsProps {
  readonly list: NotificationList;
  /** Without one nothing is shown as unread. */
  readonly marker?: ReadMarker;
  /** What scrolls the list; the window if absent. */
  readonly scroller?: RefObject<HTMLElement | null>;
}

/** A list of notifications: new ones appear on top, older ones are loaded at the end. */
export function NotificationGroups({ list, marker, scroller }: NotificationGroupsProps) {
  useEffect(() => {
    void list.load();
    return list.follow(() => (scroller?.current?.scrollTop ?? globalThis.scrollY) < topPixels);
  }, [list]);
  const markRead = (): void => {
    const newest = list.groups.value[0];
    if (newest !== undefined && marker?.readId.value !== undefined && document.visibilityState === 'visible')
      void marker.markRead(newest.newestId);
  };
  useSignalEffect(markRead);
  useEffect(() => {
    document.addEventListener('visibilitychange', markRead);
    return () => document.removeEventListener('visibilitychange', markRead);
  }, [list, marker]);
  const groups = list.groups.value.filter((group) => !isRemoved(pathOf(group)));
  const state = list.state.value;
  if (groups.length === 0) {
    if (state === 'failed') return <ErrorState error={list.error} onRetry={() => void list.load()} />;
    if (state === 'loading') return <LoadingPosts />;
    const { types, accountId } = list.filter;
    if (types !== undefined) return <EmptyState title={t('notifications.emptyOfKind')} />;
    if (accountId !== undefined) return <EmptyState title={t('notifications.requestsEmpty')} />;
    return (
      <EmptyState title={t('notifications.empty')}>
        <p>{t('notifications.emptyHint')}</p>
      </EmptyState>
    );
  }
  return (
    <>
      <Waiting list={list} onShow={() => (scroller?.current ?? globalThis).scrollTo({ top: 0 })} />
      <ol class="notifications" aria-label={t('nav.notifications')} aria-busy={state === 'loading'}>
        <Groups list={list} groups={groups} marker={marker} />
      </ol>
      {!list.isComplete.value && <LoadMore state={state} error={list.error} onLoad={() => void list.loadOlder()} />}
    </>
  );
}

/** Nearer to the top than this, new notifications are shown at once. */
const topPixels = 40;

function Waiting({ list, onShow }: { readonly list: NotificationList; readonly onShow: () => void }) {
  const count = list.waiting.value.length;
  return (
    <div class="new-notifications" role="status">
      {count > 0 && (
        <button
          type="button"
          class="button"
          onClick={() => {
            list.showWaiting();
            onShow();
          }}
        >
          {t('notifications.new', { count })}
        </button>
      )}
    </div>
  );
}

interface GroupsProps {
  readonly list: NotificationList;
  readonly groups: readonly ShownGroup[];
  readonly marker: ReadMarker | undefined;
}

function Groups({ list, groups, marker }: GroupsProps) {
  const isUnread = (group: ShownGroup | undefined): boolean =>
    group !== undefined && marker?.isUnread(group.newestId) === true;
  const forget = (group: ShownGroup): void => void forgetGroup(list, group);
  const dismiss = (group: ShownGroup): void => void dismissGroup(list, group);
  return (
    <>
      {groups.map((group, index) => (
        <Fragment key={group.key}>
          {isUnread(groups[index - 1]) && !isUnread(group) && <li class="read-line">{t('notifications.readLine')}</li>}
          <li>
            <NotificationRow group={group} isUnread={isUnread(group)} onDismiss={dismiss} onAnswered={forget} />
          </li>
        </Fragment>
      ))}
    </>
  );
}

/** Returns the address of a group in the API. */
const pathOf = ({ key }: ShownGroup): string => `/api/v2/notifications/${encodeURIComponent(key)}`;

/** Deletes a group, which can be undone for some seconds. */
async function dismissGroup(list: NotificationList, group: ShownGroup): Promise<void> {
  const path = pathOf(group);
  await removeLater({
    text: t('notifications.dismissed'),
    path,
    send: () => request('POST', `${path}/dismiss`, { keepalive: true }),
    onRemoved: () => list.remove(group.key),
  });
}

/** Deletes a group that has no purpose any more. One that stays by chance is dismissed by its button. */
async function forgetGroup(list: NotificationList, group: ShownGroup): Promise<void> {
  list.remove(group.key);
  await request('POST', `${pathOf(group)}/dismiss`).catch(() => undefined);
}
