import { request } from '../api/client.ts';
import type { Status } from '../api/entities.ts';
import { changeStatus, statusOf, storeStatus } from '../store/statuses.ts';
import { showError } from '../ui/toasts.tsx';

type Flag = 'favourited' | 'reblogged' | 'bookmarked' | 'muted' | 'pinned';

const names = {
  favourited: ['favourite', 'unfavourite'],
  reblogged: ['reblog', 'unreblog'],
  bookmarked: ['bookmark', 'unbookmark'],
  muted: ['mute', 'unmute'],
  pinned: ['pin', 'unpin'],
} as const;

const counters = { favourited: 'favourites_count', reblogged: 'reblogs_count' } as const;

/** Favourites, boosts, bookmarks, mutes or pins a post, or undoes that. It shows at once, and is undone with a message if the server refuses. */
export async function toggleFlag(id: string, flag: Flag): Promise<void> {
  const isSet = statusOf(id).peek()?.[flag] === true;
  setFlag(id, flag, !isSet);
  try {
    const [set, unset] = names[flag];
    const status = await request<Status>('POST', `/api/v1/statuses/${id}/${isSet ? unset : set}`);
    storeStatus(
      status.reblog !== null && flag === 'reblogged' ? ({ ...status.reblog, reblog: null } as Status) : status,
    );
  } catch (error) {
    setFlag(id, flag, isSet);
    showError(error, () => void toggleFlag(id, flag));
  }
}

function setFlag(id: string, flag: Flag, isSet: boolean): void {
  changeStatus(id, (status) => {
    const counter = flag === 'favourited' || flag === 'reblogged' ? counters[flag] : undefined;
    if (counter === undefined || status[flag] === isSet) return { [flag]: isSet };
    return { [flag]: isSet, [counter]: Math.max(0, status[counter] + (isSet ? 1 : -1)) };
  });
}
