import { Type } from 'typebox';
import { defineEvent } from '../platform/events/define-event.ts';

/** Staff changed the local custom emojis. */
export const localEmojisChanged = defineEvent('emoji.local_changed', Type.Object({}));

/**
 * A remote emoji changed. Rendered texts do not react to it, because remote servers could cause evictions without end:
 * they show the old emoji until they expire.
 */
export const remoteEmojiChanged = defineEvent(
  'emoji.remote_changed',
  Type.Object({ domain: Type.String(), shortcode: Type.String() }),
);
