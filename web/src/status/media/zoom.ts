/** How far an image is magnified and moved, in pixels from its place. */
export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const maxScale = 8;
export const doubleClickScale = 2.5;

/** Returns by what factor a turn of the wheel magnifies. */
export const wheelFactor = (deltaY: number): number => Math.exp(-deltaY / 400);

export const startView: View = { scale: 1, x: 0, y: 0 };

/** Magnifies a view so that the point, measured from the middle, stays where it is. */
export function zoomAt(view: View, scale: number, { x, y }: Point): View {
  const bounded = Math.min(maxScale, Math.max(1, scale));
  const factor = bounded / view.scale;
  return { scale: bounded, x: x - (x - view.x) * factor, y: y - (y - view.y) * factor };
}

/** Moves a view back so that a magnified image covers its middle: not beyond half of its size. */
export function keepInside(view: View, size: { readonly width: number; readonly height: number }): View {
  const maxX = ((view.scale - 1) * size.width) / 2;
  const maxY = ((view.scale - 1) * size.height) / 2;
  const bound = (value: number, max: number): number => Math.min(max, Math.max(-max, value));
  return { scale: view.scale, x: bound(view.x, maxX), y: bound(view.y, maxY) };
}

export const distanceOf = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);
export const middleOf = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
