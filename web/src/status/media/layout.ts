import type { MediaAttachment } from '../../api/entities.ts';

/** Between these, an image that is alone is shown in its own shape. */
const minRatio = 0.8;
const maxRatio = 2.5;

/** Returns width / height of an attachment, within bounds that suit a list; 16 / 9 if it is unknown. */
export function ratioOf({ meta }: Pick<MediaAttachment, 'meta'>): number {
  const { width = 0, height = 0 } = meta?.original ?? meta?.small ?? {};
  if (width === 0 || height === 0) return 16 / 9;
  return Math.min(maxRatio, Math.max(minRatio, width / height));
}

/** Returns the CSS position that keeps the focal point of an image visible. The focus is from -1 to 1, upwards. */
export function positionOf({ meta }: Pick<MediaAttachment, 'meta'>): string {
  const { x, y } = meta?.focus ?? { x: 0, y: 0 };
  return `${((x + 1) / 2) * 100}% ${((1 - y) / 2) * 100}%`;
}
