import { useSignal, useSignalEffect, type Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { ViewedImage } from './open-viewer.tsx';
import { distanceOf, keepInside, middleOf, startView, zoomAt, type Point } from './zoom.ts';

interface ZoomAreaProps {
  readonly attachment: ViewedImage;
  /** Also changed by keys and buttons. */
  readonly scale: Signal<number>;
  /** Called with 1 for the next image, -1 for the one before. */
  readonly onSwipe: (step: number) => void;
  /** Called for a swipe down and a click beside the image. */
  readonly onDismiss: () => void;
}

const swipePixels = 60;
const doubleClickScale = 2.5;

/** An image that is moved and magnified by pointers: swipe, pinch, drag, wheel and double click. */
export function ZoomArea({ attachment, scale, onSwipe, onDismiss }: ZoomAreaProps) {
  const view = useSignal(startView);
  const area = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement>(null);
  const pointers = useRef(new Map<number, Point>());
  const start = useRef<Point>({ x: 0, y: 0 });
  const hasPinched = useRef(false);
  const isBeside = useRef(false);

  useSignalEffect(() => {
    if (scale.value !== view.peek().scale) view.value = bounded(zoomAt(view.peek(), scale.value, { x: 0, y: 0 }));
  });
  const bounded = (changed: typeof startView): typeof startView =>
    keepInside(changed, { width: image.current?.clientWidth ?? 0, height: image.current?.clientHeight ?? 0 });
  const show = (changed: typeof startView): void => {
    view.value = bounded(changed);
    scale.value = changed.scale;
  };
  /** A point of the window, measured from the middle of the area. */
  const fromMiddle = ({ x, y }: Point): Point => {
    const box = area.current?.getBoundingClientRect();
    return box === undefined ? { x, y } : { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 };
  };

  const movePointer = (id: number, to: Point): void => {
    const before = pointers.current.get(id);
    if (before === undefined) return;
    const [other] = [...pointers.current].filter(([one]) => one !== id).map(([, point]) => point);
    pointers.current.set(id, to);
    const { scale: shown, x, y } = view.peek();
    if (other !== undefined) {
      hasPinched.current = true;
      const factor = distanceOf(to, other) / Math.max(1, distanceOf(before, other));
      show(zoomAt(view.peek(), shown * factor, fromMiddle(middleOf(to, other))));
    } else if (shown > 1) {
      show({ scale: shown, x: x + to.x - before.x, y: y + to.y - before.y });
    }
  };
  const release = (id: number, at: Point): void => {
    pointers.current.delete(id);
    if (pointers.current.size > 0) return;
    const [x, y] = [at.x - start.current.x, at.y - start.current.y];
    const wasPinched = hasPinched.current;
    hasPinched.current = false;
    if (wasPinched || view.peek().scale > 1) return;
    const step = document.documentElement.dir === 'rtl' ? 1 : -1;
    if (Math.abs(x) > swipePixels && Math.abs(x) > Math.abs(y)) onSwipe(x > 0 ? step : -step);
    else if (y > swipePixels * 1.5) onDismiss();
  };

  return (
    // What pointers do here, keys and buttons of the viewer do too.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
    <div
      ref={area}
      class={view.value.scale > 1 ? 'zoom-area zoomed' : 'zoom-area'}
      onClick={(event) => {
        // The captured pointer makes the area the target of every click.
        if (event.target === area.current && isBeside.current && view.peek().scale === 1) onDismiss();
      }}
      onDblClick={(event) => {
        const target = view.peek().scale > 1 ? 1 : doubleClickScale;
        show(zoomAt(view.peek(), target, fromMiddle({ x: event.clientX, y: event.clientY })));
      }}
      onWheel={(event) => {
        const factor = Math.exp(-event.deltaY / 400);
        show(zoomAt(view.peek(), view.peek().scale * factor, fromMiddle({ x: event.clientX, y: event.clientY })));
      }}
      onPointerDown={(event) => {
        const point = { x: event.clientX, y: event.clientY };
        if (pointers.current.size === 0) start.current = point;
        pointers.current.set(event.pointerId, point);
        isBeside.current = event.target === area.current;
        if (event.target === image.current) area.current?.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => movePointer(event.pointerId, { x: event.clientX, y: event.clientY })}
      onPointerUp={(event) => release(event.pointerId, { x: event.clientX, y: event.clientY })}
      onPointerCancel={(event) => pointers.current.delete(event.pointerId)}
    >
      <img
        ref={image}
        src={attachment.url ?? attachment.preview_url ?? ''}
        alt={attachment.description ?? ''}
        draggable={false}
        width={attachment.meta?.original?.width}
        height={attachment.meta?.original?.height}
        style={{ transform: `translate(${view.value.x}px, ${view.value.y}px) scale(${view.value.scale})` }}
      />
    </div>
  );
}
