import { on } from '../../platform/events/reactions.ts';
import type { App } from '../../platform/app.ts';
import type { StatusId } from '../../platform/ids.ts';
import { addMentions, mentionsUnresolved } from '../../statuses/index.ts';
import { resolveAccount } from './resolve-account.ts';

/** Looks for the people whom a local post names and nobody here knew yet; those who exist are mentioned after all. */
export const resolvePendingMentions = on([mentionsUnresolved], {
  name: 'status.resolve_mentions',
  queue: 'remote',
  run: async (app: App, { statusId, handles }: { statusId: StatusId; handles: string[] }) => {
    const ids = await Promise.all(handles.slice(0, 50).map((handle) => resolveAccount(app, handle)));
    await addMentions(
      app,
      statusId,
      ids.filter((id) => id !== undefined),
    );
  },
});
