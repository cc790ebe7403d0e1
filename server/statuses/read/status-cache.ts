import { accountSensitivityChanged, accountSilenceChanged } from '../../accounts/lifecycle/index.ts';
import { loadCardJson } from '../../cards/index.ts';
import { buildCachedEmojis, emojisChanged } from '../../emojis/index.ts';
import type { App } from '../../platform/app.ts';
import { BatchLoadingCache } from '../../platform/caching/cache.ts';
import { evict, evictAll, evictWhere, patch } from '../../platform/caching/cache-reactions.ts';
import type { PollId, StatusId } from '../../platform/ids.ts';
import { loadPolls, type PollWithEmojis } from '../../polls/read/index.ts';
import { pollVoted } from '../../polls/index.ts';
import { quoteChanged } from '../../quotes/index.ts';
import { domainPolicyEvents } from '../../site/domains/index.ts';
import { buildCachedReactions } from '../emoji-reactions/cached-reactions.ts';
import type { CachedStatus } from './cached-status.ts';
import { statusChanged, statusCountersChanged } from '../events.ts';
import { loadStatusAttachments } from './load-attachments.ts';
import { buildNewRow } from './new-statuses.ts';
import { renderCachedStatus } from './render-status.ts';
import { hasNewerCounters } from './status-counters.ts';
import { loadStatusRows, type StatusRow } from './status-rows.ts';

export const statusCache = new BatchLoadingCache<StatusId, CachedStatus>({
  name: 'statuses.statuses',
  maxSize: 20_000,
  ttlMs: 60_000,
  loadMany: queryCachedStatuses,
  evictOn: [
    evict(statusChanged, ({ statusId }) => [statusId]),
    evict(pollVoted, ({ statusId }) => [statusId]),
    evict(quoteChanged, ({ statusId, quotedStatusId }) =>
      quotedStatusId === null ? [statusId] : [statusId, quotedStatusId],
    ),
    patch(
      statusCountersChanged,
      ({ id }) => id,
      (status, counters) => (hasNewerCounters(counters, status.counters) ? { ...status, counters } : status),
    ),
    evictWhere(accountSensitivityChanged, (status, { accountId }) => status.accountId === accountId),
    evictWhere(accountSilenceChanged, (status, { accountId }) => status.accountId === accountId),
    evictAll(emojisChanged, ...domainPolicyEvents),
  ],
});

/** Returns cached statuses by id, without visibility checks. Deleted and unknown ones are missing. */
export const loadCachedStatuses = (app: App, ids: readonly StatusId[]): Promise<Map<StatusId, CachedStatus>> =>
  statusCache.getMany(app, ids);

async function queryCachedStatuses(app: App, ids: readonly StatusId[]): Promise<Map<StatusId, CachedStatus>> {
  const newRows = ids.flatMap((id) => buildNewRow(app, id) ?? []);
  const known = new Set(newRows.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  const rows = [...newRows, ...(unknown.length === 0 ? [] : await loadStatusRows(app, { ids: unknown }))];
  const cardIds = rows.flatMap(({ card_id }) => card_id ?? []);
  const pollIds = rows.flatMap(({ poll_id }) => poll_id ?? []);
  const [media, cards, polls] = await Promise.all([
    loadStatusAttachments(app, rows),
    loadCardJson(app, cardIds),
    loadPolls(app, pollIds),
  ]);
  const emojis = await buildCachedEmojis(
    app,
    rows.map((row) => ({ domain: row.author_domain, texts: textsWithEmojis(row, polls) })),
  );
  const reactions = await buildCachedReactions(
    app,
    rows.map((row) => row.reactions),
  );
  const statuses = rows.map((row, index) => {
    const text = row.card_id === null ? undefined : cards.get(row.card_id);
    const card = text === undefined || row.card_url === null ? null : { text, url: row.card_url };
    const poll = (row.poll_id === null ? undefined : polls.get(row.poll_id)) ?? null;
    return renderCachedStatus(app, row, {
      media: media.get(row.id) ?? [],
      emojis: emojis[index] ?? [],
      reactions: reactions[index] ?? [],
      card,
      poll,
    });
  });
  return new Map(statuses.map((status) => [status.id, status]));
}

/** Returns the texts that may contain emojis. */
function textsWithEmojis(
  { content, spoiler_text, poll_id }: StatusRow,
  polls: ReadonlyMap<PollId, PollWithEmojis>,
): string[] {
  const options = poll_id === null ? undefined : polls.get(poll_id)?.options;
  return [spoiler_text, content, ...(options ?? [])];
}

/** Returns the id of the reblogged status, or `id` itself if it is no reblog or no longer exists. */
export async function resolveOriginalId(app: App, id: StatusId): Promise<StatusId> {
  return (await loadCachedStatuses(app, [id])).get(id)?.reblogOfId ?? id;
}
