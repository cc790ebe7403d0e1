import { later } from '../../platform/write/reactions.ts';
import type { App } from '../../platform/app.ts';
import type { StatusId } from '../../platform/ids.ts';
import { addMentions } from '../../statuses/post/index.ts';
import { mentionsUnresolved } from '../../statuses/index.ts';
import { resolveAccount } from './resolve-account.ts';

/** Resolves the unknown accounts that a local post mentions, and adds the mentions of those that exist. */
export const resolvePendingMentions = later('remote', [mentionsUnresolved], {
  name: 'status.resolve_mentions',
  run: async (app: App, { statusId, handles }: { statusId: StatusId; handles: string[] }) => {
    const ids = await Promise.all(handles.slice(0, 50).map((handle) => resolveAccount(app, handle)));
    await addMentions(
      app,
      statusId,
      ids.filter((id) => id !== undefined),
    );
  },
});
