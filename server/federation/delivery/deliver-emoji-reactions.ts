import { findEmojisIn } from '../../emojis/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import type { AccountId, RowId, StatusId } from '../../platform/ids.ts';
import { statusReacted, statusUnreacted } from '../../statuses/emoji-reactions/index.ts';
import { undo } from '../documents/activities.ts';
import { reactionContext } from '../documents/contexts.ts';
import { emojiDocument } from '../documents/emoji-documents.ts';
import type { Json } from '../documents/values.ts';
import { onLocal } from './on-local.ts';
import { storeActivity } from './store-activity.ts';

interface ReactionEvent {
  readonly reactionId: RowId;
  readonly statusId: StatusId;
  readonly accountId: AccountId;
  readonly statusLocal: boolean;
  readonly name: string;
}

/** Sends an activity about a reaction to a remote status to its author. */
async function deliver(
  app: App,
  reaction: ReactionEvent,
  activityOf: (emojiReact: Json, actor: string) => Json,
): Promise<void> {
  const target = await app.db
    .selectFrom('statuses')
    .innerJoin('accounts as author', 'author.id', 'statuses.account_id')
    .innerJoin('accounts as actor', (join) => join.on('actor.id', '=', reaction.accountId))
    .select(['statuses.uri', 'author.inbox_url as inbox', 'actor.uri as actor'])
    .where('statuses.id', '=', reaction.statusId)
    .executeTakeFirst();
  if (target === undefined || target.inbox === null) return;
  const { uri: object, inbox, actor } = target;
  const [custom = []] = await findEmojisIn(app, [{ domain: null, texts: [`:${reaction.name}:`] }]);
  const content = custom.length === 0 ? reaction.name : `:${reaction.name}:`;
  const tag = custom.map((emoji) => emojiDocument(app, emoji));
  const id = `${actor}#emoji_reactions/${reaction.reactionId}`;
  const emojiReact = { id, type: 'EmojiReact', actor, object, content, ...(tag.length > 0 && { tag }) };
  await transaction(app, (tx) =>
    storeActivity(tx, app, {
      senderId: reaction.accountId,
      activity: activityOf(emojiReact, actor),
      context: reactionContext,
      inboxes: [inbox],
      orderKey: `react ${reaction.accountId} ${object}`,
    }),
  );
}

const isRemote = ({ statusLocal }: ReactionEvent): boolean => !statusLocal;
const jobKey = ({ accountId, statusId }: ReactionEvent): string => `react ${accountId} ${statusId}`;

export const emojiReactionDeliveries: readonly Subscription[] = [
  ...onLocal([statusReacted], {
    name: 'status.deliver_emoji_reaction',
    run: (app, reaction) => deliver(app, reaction, (emojiReact) => emojiReact),
    when: isRemote,
    jobKey,
  }),
  ...onLocal([statusUnreacted], {
    name: 'status.deliver_undone_emoji_reaction',
    run: (app, reaction) => deliver(app, reaction, (emojiReact, actor) => undo(actor, emojiReact)),
    when: isRemote,
    jobKey,
  }),
];
