import pin from '@phosphor-icons/core/regular/push-pin.svg?raw';
import type { ComponentChildren } from 'preact';
import { request } from '../api/client.ts';
import type { Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { StatusCard } from '../status/index.ts';
import { statusOf, storeStatuses } from '../store/statuses.ts';
import { Icon } from '../ui/icon.tsx';
import { isPostRemoved } from '../ui/removed-posts.ts';
import { LoadingPosts } from '../ui/states.tsx';
import { useLoaded } from '../ui/use-loaded.tsx';

const idsByAccount = new Map<string, readonly string[]>();

/** Loads the pinned posts of an account into the store. Returns none if that fails: the posts below show why. */
async function loadPinned(accountId: string): Promise<readonly string[]> {
  try {
    const path = `/api/v1/accounts/${accountId}/statuses`;
    const statuses = await request<readonly Status[]>('GET', path, { query: { pinned: true } });
    storeStatuses(statuses);
    return statuses.map(({ id }) => id);
  } catch {
    return [];
  }
}

/** Returns the ids of the pinned posts of an account; undefined until they are loaded. */
function usePinnedPosts(accountId: string): readonly string[] | undefined {
  const loaded = useLoaded<readonly string[]>(accountId, async () => {
    const ids = await loadPinned(accountId);
    idsByAccount.set(accountId, ids);
    return ids;
  });
  return loaded.value ?? idsByAccount.get(accountId);
}

interface WithPinnedPostsProps {
  readonly accountId: string;
  /** What follows them. */
  readonly children: (hasPinned: boolean) => ComponentChildren;
}

/** The pinned posts of an account, and what follows them. */
export function WithPinnedPosts({ accountId, children }: WithPinnedPostsProps) {
  const ids = usePinnedPosts(accountId);
  if (ids === undefined) return <LoadingPosts />;
  return (
    <>
      <PinnedList ids={ids} />
      {children(ids.length > 0)}
    </>
  );
}

/** The pinned posts of an account. Nothing if there are none. */
export function PinnedPosts({ accountId }: { readonly accountId: string }) {
  return <PinnedList ids={usePinnedPosts(accountId) ?? []} />;
}

function PinnedList({ ids }: { readonly ids: readonly string[] }) {
  return (
    <>
      {ids.map((id) => {
        const status = statusOf(id).value;
        if (status === undefined || isPostRemoved(status, 'account')) return null;
        return (
          <div key={id} class="pinned-post">
            <p class="status-context">
              <Icon svg={pin} />
              {t('profile.pinned')}
            </p>
            <StatusCard id={id} context="account" />
          </div>
        );
      })}
    </>
  );
}
