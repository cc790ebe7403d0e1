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

/** A row of pictures of the same height, each as wide as its shape asks for. */
interface MediaRow<Item> {
  readonly items: readonly Item[];
  /** Width / height of the row: that of its pictures together, within bounds. */
  readonly ratio: number;
}

/** So many pictures of a post are shown; the last one leads to the others. */
export const maxPictures = 4;
/** Bounds of width / height of a row: pictures beyond are cropped. */
const minRowRatio = 1;
const maxRowRatio = 4;

/** Returns the rows of up to four pictures of a post, so that little of each is cropped. */
export function rowsOf<Item extends Pick<MediaAttachment, 'meta'>>(pictures: readonly Item[]): MediaRow<Item>[] {
  return splitRows(pictures.slice(0, maxPictures)).map((items) => {
    const ratio = items.reduce((sum, item) => sum + ratioOf(item), 0);
    return { items, ratio: items.length === 1 ? ratio : Math.min(maxRowRatio, Math.max(minRowRatio, ratio)) };
  });
}

function splitRows<Item extends Pick<MediaAttachment, 'meta'>>(pictures: readonly Item[]): Item[][] {
  const [first, ...others] = pictures;
  if (first === undefined) return [];
  const isWide = pictures.reduce((sum, picture) => sum + ratioOf(picture), 0) > maxRowRatio - 1;
  switch (pictures.length) {
    case 1:
      return [[first]];
    case 2:
    case 3:
      return isWide ? [[first], others] : [[first, ...others]];
    default:
      return [pictures.slice(0, 2), pictures.slice(2)];
  }
}

/**
 * Returns the widest that a picture that is alone is shown, in pixels: a small one is not blown up. Undefined: as wide as
 * the post.
 */
export function maxWidthOf(attachment: Pick<MediaAttachment, 'meta' | 'type'>): number | undefined {
  const { width = 0 } = sizeOf(attachment) ?? {};
  return attachment.type === 'image' && width > 0 && width < smallWidth ? Math.max(width, minWidth) : undefined;
}
/** In pixels: of images that are shown in their size, and what the button for the description needs. */
const smallWidth = 320;
const minWidth = 72;

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
