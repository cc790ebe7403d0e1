import type { App } from '../../platform/app.ts';
import { invalidField } from '../../platform/http/http-errors.ts';
import { exceedsLimit } from '../../text/index.ts';
import type { MediaMeta } from '../schema.ts';

export type Focus = NonNullable<MediaMeta['focus']>;

/** Returns an alternative text as stored: trimmed, null if empty. Throws 422 if it is longer than the limit. */
export function parseDescription(app: App, text: string): string | null {
  const description = text.trim();
  const most = app.config.MEDIA_DESCRIPTION_LIMIT;
  if (exceedsLimit(description, most)) {
    throw invalidField('description', 'problems.tooLong', { max: most });
  }
  return description === '' ? null : description;
}

/** Returns the point `x,y` that must stay visible, each from -1 to 1; undefined if the text contains none. */
export function parseFocus(text: string): Focus | undefined {
  const [x, y, ...rest] = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (x === undefined || y === undefined || rest.length > 0 || !Number.isFinite(x) || !Number.isFinite(y)) {
    return undefined;
  }
  return { x: clamp(x), y: clamp(y) };
}

const clamp = (value: number): number => Math.min(1, Math.max(-1, value));
