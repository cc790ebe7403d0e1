import type { Status } from '../api/entities.ts';
import { sendOrQueue } from '../offline/outbox.ts';
import { flagChange, type Flag } from '../store/status-flags.ts';
import { changeStatus, statusOf, storeStatus } from '../store/statuses.ts';
import { showError } from '../ui/toasts.tsx';

const names = {
  favourited: ['favourite', 'unfavourite'],
  reblogged: ['reblog', 'unreblog'],
  bookmarked: ['bookmark', 'unbookmark'],
  muted: ['mute', 'unmute'],
  pinned: ['pin', 'unpin'],
} as const;

/** Favourites, boosts, bookmarks, mutes or pins a post, or undoes that. It shows at once, and is undone with a message if the server refuses. */
export async function toggleFlag(id: string, flag: Flag): Promise<void> {
  const isSet = statusOf(id).peek()?.[flag] === true;
  setFlag(id, flag, !isSet);
  try {
    const [set, unset] = names[flag];
    const status = await sendOrQueue<Status>({
      kind: 'status',
      method: 'POST',
      path: `/api/v1/statuses/${id}/${isSet ? unset : set}`,
      statusId: id,
      flags: { [flag]: !isSet },
    });
    if (status === undefined) return;
    storeStatus(
      status.reblog !== null && flag === 'reblogged' ? ({ ...status.reblog, reblog: null } as Status) : status,
    );
  } catch (error) {
    setFlag(id, flag, isSet);
    showError(error, () => void toggleFlag(id, flag));
  }
}

function setFlag(id: string, flag: Flag, isSet: boolean): void {
  changeStatus(id, (status) => flagChange(status, flag, isSet));
}
