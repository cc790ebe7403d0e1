import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.tsx';
import { swipeOf, useGestures } from './gestures.ts';
import type { AreaProps } from './zoom-area.tsx';
import { doubleClickScale, maxScale, wheelFactor, type Point } from './zoom.ts';

interface ScrollAreaProps extends AreaProps {
  /** The width of the image in pixels. */
  readonly width: number;
}

/** Smaller images are enlarged to this width. */
const minWidth = '32rem';

/** A tall image. It fills the width and scrolls, magnified in both directions. It is magnified as others are, by the wheel with Ctrl. */
export function ScrollArea({ attachment, scale, width, onSwipe, onDismiss }: ScrollAreaProps) {
  const area = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement>(null);
  /** The point of the window that stays where it is; without one, the middle. */
  const fixed = useRef<Point | undefined>(undefined);
  const shownWidth = `min(100%, max(${width}px, ${minWidth}))`;

  useSignalEffect(() => {
    const { value } = scale;
    if (area.current !== null && image.current !== null)
      resize(area.current, image.current, `calc(${shownWidth} * ${value})`, fixed.current);
    fixed.current = undefined;
  });
  const zoom = (target: number, at: Point): void => {
    fixed.current = at;
    scale.value = Math.min(maxScale, Math.max(1, target));
  };
  const gestures = useGestures({
    onPinch: (factor, middle) => zoom(scale.peek() * factor, middle),
    // The browser scrolls for fingers.
    onDrag: ({ x, y }, type) => {
      if (type === 'mouse') area.current?.scrollBy(-x, -y);
    },
    onRelease: (way) => {
      const swipe = scale.peek() > 1 ? undefined : swipeOf(way);
      if (typeof swipe === 'number') onSwipe(swipe);
    },
    onClickBeside: () => {
      if (scale.peek() === 1) onDismiss();
    },
  });
  useEffect(() => {
    const { current } = area;
    // The browser neither scrolls nor zooms for two fingers.
    const holdPage = (event: TouchEvent): void => {
      if (event.touches.length > 1 && event.cancelable) event.preventDefault();
    };
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(scale.peek() * wheelFactor(event.deltaY), { x: event.clientX, y: event.clientY });
    };
    current?.addEventListener('touchmove', holdPage, { passive: false });
    current?.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      current?.removeEventListener('touchmove', holdPage);
      current?.removeEventListener('wheel', onWheel);
    };
  }, []);

  return (
    // The keys and buttons of the viewer do the same as pointers here.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <div
      {...gestures}
      ref={area}
      class={scale.value > 1 ? 'scroll-area zoomed' : 'scroll-area'}
      // A region that scrolls can be scrolled by the keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="group"
      aria-label={t('viewer.title')}
      onDblClick={({ clientX: x, clientY: y }) => zoom(scale.peek() > 1 ? 1 : doubleClickScale, { x, y })}
    >
      <img
        ref={image}
        src={attachment.url ?? attachment.preview_url ?? ''}
        alt={attachment.description ?? ''}
        draggable={false}
        style={{ inlineSize: shownWidth }}
      />
    </div>
  );
}

/** Changes the width of the image, and scrolls so that a point of it stays where it is. */
function resize(area: HTMLElement, image: HTMLElement, width: string, fixed: Point | undefined): void {
  const { left, top, width: areaWidth, height: areaHeight } = area.getBoundingClientRect();
  const { x, y } = fixed ?? { x: left + areaWidth / 2, y: top + areaHeight / 2 };
  const before = image.getBoundingClientRect();
  image.style.inlineSize = width;
  const after = image.getBoundingClientRect();
  const factor = after.width / before.width;
  area.scrollBy(after.left + (x - before.left) * factor - x, after.top + (y - before.top) * factor - y);
}
