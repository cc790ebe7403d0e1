import { findFirstLink } from '../../cards/index.ts';
import type { App } from '../../platform/app.ts';
import type { DomainEvent } from '../../platform/write/define-event.ts';
import type { StatusId } from '../../platform/ids.ts';
import { statusCreated } from '../events.ts';
import { statusBackfilled } from '../remote/status-backfilled.ts';
import { isLocalOnly, plainVisibility } from '../visibility/visibility.ts';
import type { NewStatus } from './insert-status.ts';

/**
 * Returns the event of a stored status: `statusCreated`, or `statusBackfilled`. `threadId`: the first post of the thread
 * that one request published.
 */
export function createdEvent(
  app: App,
  { id: statusId, accountId, local, visibility, isReply, mentions, tagIds, mediaIds, content, backfilled }: NewStatus,
  threadId?: StatusId,
): DomainEvent {
  const created = backfilled === true ? statusBackfilled : statusCreated;
  return created({
    statusId,
    accountId,
    local,
    direct: visibility === 'direct',
    public: plainVisibility(visibility) === 'public',
    localOnly: isLocalOnly(visibility),
    reply: isReply,
    mentions: mentions.length > 0,
    tags: tagIds.length > 0,
    // Attachments are shown instead of a card.
    link: mediaIds.length === 0 && hasLink(app, content),
    ...(threadId !== undefined && { threadId }),
  });
}

/** Whether the HTML has a link that may have a card. */
export const hasLink = (app: App, html: string): boolean =>
  html.includes('<a ') && findFirstLink(app, html) !== undefined;
