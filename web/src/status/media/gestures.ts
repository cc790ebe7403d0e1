import type { TargetedPointerEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { distanceOf, middleOf, type Point } from './zoom.ts';

interface Gestures {
  /** Two fingers moved: the factor of their distance, and the point of the window between them. */
  readonly onPinch: (factor: number, middle: Point) => void;
  /** One pointer moved so far. */
  readonly onDrag: (step: Point, type: string) => void;
  /** The last pointer was released after this way. Not after a pinch. */
  readonly onRelease: (way: Point) => void;
  /** A click beside the image. */
  readonly onClickBeside: () => void;
}

type AreaEvent = TargetedPointerEvent<HTMLDivElement>;
const pointOf = ({ clientX, clientY }: AreaEvent): Point => ({ x: clientX, y: clientY });

/** Returns the handlers of an area that contains an image and nothing else. */
export function useGestures({ onPinch, onDrag, onRelease, onClickBeside }: Gestures) {
  const pointers = useRef(new Map<number, Point>());
  const start = useRef<Point>({ x: 0, y: 0 });
  const hasPinched = useRef(false);
  const isBeside = useRef(false);
  return {
    onClick: ({ target, currentTarget }: Pick<AreaEvent, 'target' | 'currentTarget'>): void => {
      // The captured pointer makes the area the target of every click.
      if (target === currentTarget && isBeside.current) onClickBeside();
    },
    onPointerDown: (event: AreaEvent): void => {
      if (pointers.current.size === 0) start.current = pointOf(event);
      pointers.current.set(event.pointerId, pointOf(event));
      isBeside.current = event.target === event.currentTarget;
      if (!isBeside.current) event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: AreaEvent): void => {
      const before = pointers.current.get(event.pointerId);
      if (before === undefined) return;
      const to = pointOf(event);
      const [other] = [...pointers.current].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
      pointers.current.set(event.pointerId, to);
      if (other === undefined) {
        onDrag({ x: to.x - before.x, y: to.y - before.y }, event.pointerType);
      } else {
        hasPinched.current = true;
        onPinch(distanceOf(to, other) / Math.max(1, distanceOf(before, other)), middleOf(to, other));
      }
    },
    onPointerUp: (event: AreaEvent): void => {
      pointers.current.delete(event.pointerId);
      if (pointers.current.size > 0) return;
      const wasPinched = hasPinched.current;
      hasPinched.current = false;
      const { x, y } = pointOf(event);
      if (!wasPinched) onRelease({ x: x - start.current.x, y: y - start.current.y });
    },
    onPointerCancel: (event: AreaEvent): void => {
      pointers.current.delete(event.pointerId);
      if (pointers.current.size === 0) hasPinched.current = false;
    },
  };
}

const swipePixels = 60;

/** Returns what a swipe asks for: 1 for the next image, -1 for the one before, "down", or nothing. */
export function swipeOf({ x, y }: Point): 1 | -1 | 'down' | undefined {
  if (Math.abs(x) > swipePixels && Math.abs(x) > Math.abs(y))
    return x > 0 === (document.documentElement.dir === 'rtl') ? 1 : -1;
  return y > swipePixels * 1.5 ? 'down' : undefined;
}
