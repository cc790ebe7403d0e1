/** A rectangle in pixels of an image. */
export interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Which part of an image is visible. `zoom`: 1 is as much as fits. `x`, `y`: from 0 (start) to 1 (end). */
export interface Crop {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The middle of the image, as much as fits. */
export const centered: Crop = { zoom: 1, x: 0.5, y: 0.5 };
export const maxZoom = 4;

/** Returns the visible part of an image for a frame of this aspect ratio (width by height). */
export function visiblePart(image: Size, aspect: number, { zoom, x, y }: Crop): Part {
  const width = Math.min(image.width, image.height * aspect) / zoom;
  const height = width / aspect;
  return { x: (image.width - width) * x, y: (image.height - height) * y, width, height };
}

/** Returns the crop after the image was dragged by a distance, as a share of the frame's width and height. */
export function dragCrop(
  image: Size,
  aspect: number,
  crop: Crop,
  by: { readonly x: number; readonly y: number },
): Crop {
  const { width, height } = visiblePart(image, aspect, crop);
  return {
    zoom: crop.zoom,
    x: shift(crop.x, by.x * width, image.width - width),
    y: shift(crop.y, by.y * height, image.height - height),
  };
}

function shift(position: number, distance: number, room: number): number {
  return room <= 0 ? position : Math.min(1, Math.max(0, position - distance / room));
}
