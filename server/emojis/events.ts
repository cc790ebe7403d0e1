import { Type } from 'typebox';
import { defineEvent } from '../platform/write/define-event.ts';

/** Staff changed local custom emojis, or disabled or enabled a remote one. */
export const emojisChanged = defineEvent('emoji.changed', Type.Object({}));

/**
 * The server of a remote emoji changed it, or staff disabled or enabled it. Rendered texts do not react to it, because
 * remote servers could cause evictions without end: they show the old emoji until they expire.
 */
export const remoteEmojiChanged = defineEvent(
  'emoji.remote_changed',
  Type.Object({ domain: Type.String(), shortcode: Type.String() }),
);
