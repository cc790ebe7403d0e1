import { useRef } from 'preact/hooks';
import { Animation } from './animation.tsx';
import { swipeOf } from './gestures.ts';
import { Recording } from './recording.tsx';
import type { AreaProps } from './zoom-area.tsx';
import type { Point } from './zoom.ts';

/** An animation, video or audio file in the viewer. */
export function PlayArea({ attachment, onSwipe, onDismiss }: Omit<AreaProps, 'scale'>) {
  const start = useRef<Point | undefined>(undefined);
  const end = ({ changedTouches: [finger] }: TouchEvent): void => {
    const before = start.current;
    start.current = undefined;
    if (before === undefined || finger === undefined) return;
    const swipe = swipeOf({ x: finger.clientX - before.x, y: finger.clientY - before.y });
    if (swipe === 'down') onDismiss();
    else if (swipe !== undefined) onSwipe(swipe);
  };
  return (
    <div
      class={`play-area ${attachment.type}`}
      onTouchStart={({ touches, target }) => {
        const [finger] = touches;
        const isOwn = finger !== undefined && touches.length === 1 && !(target instanceof HTMLInputElement);
        start.current = isOwn ? { x: finger.clientX, y: finger.clientY } : undefined;
      }}
      onTouchEnd={end}
    >
      {attachment.type === 'gifv' ? <Animation attachment={attachment} /> : <Recording attachment={attachment} />}
    </div>
  );
}
