import play from '@phosphor-icons/core/fill/play-fill.svg?raw';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.tsx';
import { settings } from '../../session/settings.ts';
import { Icon } from '../../ui/icon.tsx';
import type { ViewedImage } from './open-viewer.tsx';
import { isMotionReduced } from './playback.ts';

/** Whether an animation, by its id, plays when it comes into the window. Only of those that the reader pressed. */
const wanted = new Map<string, boolean>();

interface AnimationProps {
  readonly attachment: ViewedImage;
  readonly onLoaded?: () => void;
}

/**
 * A silent animation, which a press starts and pauses. It pauses where it is not seen, and goes on when it comes back, unless
 * the reader wants less motion.
 */
export function Animation({ attachment, onLoaded }: AnimationProps) {
  const { id } = attachment;
  const { autoplay } = settings.value.reading;
  const video = useRef<HTMLVideoElement>(null);
  const isPlaying = useSignal(false);
  const start = (): void => {
    // A refusal by the browser leaves it paused.
    video.current?.play().catch(() => undefined);
  };
  const toggle = (): void => {
    const isStarting = video.current?.paused ?? true;
    wanted.set(id, isStarting && !isMotionReduced());
    if (isStarting) start();
    else video.current?.pause();
  };
  useEffect(() => {
    if (video.current === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.at(-1)?.isIntersecting !== true) video.current?.pause();
      else if (wanted.get(id) ?? (autoplay && !isMotionReduced())) start();
    });
    observer.observe(video.current);
    return () => observer.disconnect();
  }, [id, autoplay]);
  return (
    <button
      type="button"
      class="media-open"
      data-key="v"
      aria-label={t(isPlaying.value ? 'media.pauseAnimation' : 'media.playAnimation', {
        description: attachment.description ?? '',
      })}
      onClick={toggle}
    >
      <video
        ref={video}
        src={attachment.url ?? ''}
        poster={attachment.preview_url ?? undefined}
        loop
        muted
        playsInline
        preload="none"
        tabIndex={-1}
        onLoadedData={onLoaded}
        onPlay={() => (isPlaying.value = true)}
        onPause={() => (isPlaying.value = false)}
      />
      {!isPlaying.value && (
        <span class="play" aria-hidden="true">
          <Icon svg={play} />
        </span>
      )}
    </button>
  );
}
