import type { AccountRow } from '../../accounts/find/index.ts';
import { normalizeEmoji, storeRemoteEmojis } from '../../emojis/index.ts';
import type { App } from '../../platform/app.ts';
import {
  deleteReaction,
  deleteReactionByUri,
  storeReaction,
  type ReactionEmoji,
} from '../../statuses/emoji-reactions/index.ts';
import { parseEmojis } from '../documents/emoji-documents.ts';
import { idOf, isSameHost, textOf, type Json } from '../documents/values.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import type { ReceivedActivity } from './received-activity.ts';

/** Longest shortcode with its colons. */
const maxContentLength = 2_100;

/** The hearts with which Misskey and its forks mark a favourite. */
const hearts: ReadonlySet<string> = new Set(['\u2764\uFE0F', '\u2665\uFE0F']);

/** Stores a reaction to a local status. Reactions to remote statuses are ignored. */
export async function receiveEmojiReact(app: App, received: ReceivedActivity): Promise<void> {
  await receiveReaction(app, received);
}

/**
 * Stores the reaction of an EmojiReact, or of a Like with content, as Misskey sends it. Returns false if the activity
 * names no emoji that can be shown, or a heart in a Like.
 */
export async function receiveReaction(app: App, { activity, actor }: ReceivedActivity): Promise<boolean> {
  const emoji = parseReaction(activity, actor);
  if (emoji === undefined) return false;
  const target = idOf(activity['object']);
  const status = target === undefined ? undefined : await findStatusByUri(app, target);
  if (status?.local !== true) return true;
  const used = parseEmojis(activity).filter(({ shortcode }) => shortcode === emoji.name);
  if (emoji.domain !== '') await storeRemoteEmojis(app, emoji.domain, used);
  const id = idOf(activity);
  const uri = id !== undefined && isSameHost(id, actor.uri) ? id : null;
  await storeReaction(app, { accountId: actor.id, statusId: status.id, emoji, uri });
  return true;
}

/** Returns the emoji of a reaction: a Unicode one, or a custom one of the actor's server that a tag describes. */
function parseReaction(activity: Json, { domain }: AccountRow): ReactionEmoji | undefined {
  const content = contentOf(activity);
  if (content === undefined || domain === null) return undefined;
  const unicode = normalizeEmoji(content);
  if (unicode !== undefined) {
    return activity['type'] === 'Like' && hearts.has(unicode) ? undefined : { name: unicode, domain: '' };
  }
  const shortcode = /^:?(\w+)(?:@\.)?:?$/.exec(content)?.[1];
  const isDescribed = parseEmojis(activity).some((emoji) => emoji.shortcode === shortcode);
  return shortcode !== undefined && isDescribed ? { name: shortcode, domain } : undefined;
}

const contentOf = (activity: Json): string | undefined =>
  (textOf(activity, 'content', maxContentLength) ?? textOf(activity, '_misskey_reaction', maxContentLength))?.trim();

/** Undoes a reaction, found by its id or by its emoji. Returns false if there is none. */
export async function undoReceivedReaction(app: App, actor: AccountRow, reaction: Json): Promise<boolean> {
  const uri = idOf(reaction);
  if (uri !== undefined && (await deleteReactionByUri(app, actor.id, uri))) return true;
  const [emoji, target] = [parseReaction(reaction, actor), idOf(reaction['object'])];
  const status = emoji === undefined || target === undefined ? undefined : await findStatusByUri(app, target);
  if (emoji === undefined || status === undefined) return false;
  return deleteReaction(app, { accountId: actor.id, statusId: status.id, ...emoji });
}
