import { request } from '../api/client.ts';
import type { Status, StatusReaction } from '../api/entities.ts';
import { sendOrQueue } from '../offline/index.ts';
import { flagChange, type Flag } from '../store/status-flags.ts';
import { changeStatus, statusOf, storeStatus } from '../store/statuses.ts';
import { showError } from '../ui/toasts.tsx';
import { withReaction } from './with-reaction.ts';

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
    storeStatus(status.reblog !== null && flag === 'reblogged' ? status.reblog : status);
  } catch (error) {
    setFlag(id, flag, isSet);
    showError(error, () => void toggleFlag(id, flag));
  }
}

function setFlag(id: string, flag: Flag, isSet: boolean): void {
  changeStatus(id, (status) => flagChange(status, flag, isSet));
}

/** Adds the reader's emoji reaction to a post, or removes it. It shows at once, and is undone if the server refuses. */
export async function toggleReaction(
  id: string,
  reaction: Pick<StatusReaction, 'name' | 'url' | 'static_url'>,
): Promise<void> {
  const before = statusOf(id).peek()?.reactions ?? [];
  const isSet = before.some(({ name, me }) => name === reaction.name && me === true);
  changeStatus(id, () => ({ reactions: withReaction(before, reaction, !isSet) }));
  try {
    const path = `/api/v1/statuses/${id}/${isSet ? 'unreact' : 'react'}/${encodeURIComponent(reaction.name)}`;
    storeStatus(await request<Status>('POST', path));
  } catch (error) {
    changeStatus(id, () => ({ reactions: before }));
    showError(error, () => void toggleReaction(id, reaction));
  }
}
