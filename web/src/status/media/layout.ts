import type { MediaAttachment } from '../../api/entities.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** From this height / width on, an image is a strip: a long screenshot, a comic. It is read from its top. */
const tallRatio = 2.5;

/** Whether an image is so tall that it would be too narrow to read if it was shown whole. */
export const isTall = ({ width = 0, height = 0 }: Partial<Size> = {}): boolean =>
  width > 0 && height / width >= tallRatio;

/** Between these, an image that is alone is shown in its own shape. */
const minRatio = 0.8;
const maxRatio = 2.5;

/** Returns width / height of an attachment, within bounds that suit a list; 16 / 9 if it is unknown. */
export function ratioOf(attachment: Pick<MediaAttachment, 'meta'>): number {
  const { width = 0, height = 0 } = sizeOf(attachment) ?? {};
  if (width === 0 || height === 0) return 16 / 9;
  return Math.min(maxRatio, Math.max(minRatio, width / height));
}

/** Returns the size of an attachment, if it is known. */
export const sizeOf = ({ meta }: Partial<Pick<MediaAttachment, 'meta'>>): Partial<Size> | undefined =>
  meta?.original ?? meta?.small;

/**
 * Returns the CSS position that keeps the focal point of an image visible. The focus is from -1 to 1, upwards. A tall image
 * without one begins at its top.
 */
export function positionOf({ meta }: Pick<MediaAttachment, 'meta'>): string {
  const { x, y } = meta?.focus ?? { x: 0, y: 0 };
  if (x === 0 && y === 0 && isTall(sizeOf({ meta }))) return '50% 0%';
  return `${((x + 1) / 2) * 100}% ${((1 - y) / 2) * 100}%`;
}

/** Returns the file that previews show. The small version of a tall image is too narrow to read. */
export const previewUrlOf = (attachment: Pick<MediaAttachment, 'meta' | 'url' | 'preview_url'>): string | null => {
  const { url, preview_url: preview } = attachment;
  return isTall(sizeOf(attachment)) ? (url ?? preview) : (preview ?? url);
};
