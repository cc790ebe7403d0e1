import { useSignal, useSignalEffect, type Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { swipeOf, useGestures } from './gestures.ts';
import type { ViewedImage } from './open-viewer.tsx';
import { doubleClickScale, keepInside, startView, wheelFactor, zoomAt, type Point } from './zoom.ts';

export interface AreaProps {
  readonly attachment: ViewedImage;
  /** Also changed by keys and buttons. */
  readonly scale: Signal<number>;
  /** Called with 1 for the next image, -1 for the one before. */
  readonly onSwipe: (step: number) => void;
  /** Called for a swipe down and a click beside the image. */
  readonly onDismiss: () => void;
}

interface ZoomAreaProps extends AreaProps {
  readonly onLoad: (image: HTMLImageElement) => void;
}

/** An image that is moved and magnified by pointers: swipe, pinch, drag, wheel and double click. */
export function ZoomArea({ attachment, scale, onSwipe, onDismiss, onLoad }: ZoomAreaProps) {
  const view = useSignal(startView);
  const area = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement>(null);

  useSignalEffect(() => {
    if (scale.value !== view.peek().scale) view.value = bounded(zoomAt(view.peek(), scale.value, { x: 0, y: 0 }));
  });
  const bounded = (changed: typeof startView): typeof startView =>
    keepInside(changed, { width: image.current?.clientWidth ?? 0, height: image.current?.clientHeight ?? 0 });
  const show = (changed: typeof startView): void => {
    view.value = bounded(changed);
    scale.value = changed.scale;
  };
  /** Magnifies so that a point of the window stays where it is. */
  const zoom = (target: number, { x, y }: Point): void => {
    const { left = 0, top = 0, width = 0, height = 0 } = area.current?.getBoundingClientRect() ?? {};
    show(zoomAt(view.peek(), target, { x: x - left - width / 2, y: y - top - height / 2 }));
  };
  const gestures = useGestures({
    onPinch: (factor, middle) => zoom(view.peek().scale * factor, middle),
    onDrag: (step) => {
      const { scale: shown, x, y } = view.peek();
      if (shown > 1) show({ scale: shown, x: x + step.x, y: y + step.y });
    },
    onRelease: (way) => {
      const swipe = view.peek().scale > 1 ? undefined : swipeOf(way);
      if (swipe === 'down') onDismiss();
      else if (swipe !== undefined) onSwipe(swipe);
    },
    onClickBeside: () => {
      if (view.peek().scale === 1) onDismiss();
    },
  });

  return (
    // The keys and buttons of the viewer do the same as pointers here.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
    <div
      {...gestures}
      ref={area}
      class={view.value.scale > 1 ? 'zoom-area zoomed' : 'zoom-area'}
      onDblClick={({ clientX: x, clientY: y }) => zoom(view.peek().scale > 1 ? 1 : doubleClickScale, { x, y })}
      onWheel={({ deltaY, clientX: x, clientY: y }) => zoom(view.peek().scale * wheelFactor(deltaY), { x, y })}
    >
      <img
        ref={image}
        src={attachment.url ?? attachment.preview_url ?? ''}
        alt={attachment.description ?? ''}
        draggable={false}
        width={attachment.meta?.original?.width}
        height={attachment.meta?.original?.height}
        style={{ transform: `translate(${view.value.x}px, ${view.value.y}px) scale(${view.value.scale})` }}
        onLoad={({ currentTarget }) => onLoad(currentTarget)}
      />
    </div>
  );
}
