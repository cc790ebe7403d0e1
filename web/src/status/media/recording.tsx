import play from '@phosphor-icons/core/fill/play-fill.svg?raw';
import { signal, useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useRef } from 'preact/hooks';
import { loadTexts, t } from '../../i18n/translate.tsx';
import { Icon } from '../../ui/icon.tsx';
import { formatTime } from './media-time.ts';
import type { ViewedImage } from './open-viewer.tsx';
import { playMedia, recordPlaying } from './playback.ts';
import type { PlayerControlsProps } from './player-controls.tsx';

const controls = signal<{ readonly Component: ComponentType<PlayerControlsProps> } | undefined>(undefined);

async function loadControls(): Promise<void> {
  const [{ PlayerControls }] = await Promise.all([import('./player-controls.tsx'), loadTexts('reading')]);
  controls.value = { Component: PlayerControls };
}

interface RecordingProps {
  readonly attachment: ViewedImage;
  readonly onLoaded?: () => void;
}

/** A video or audio file. Until it is played it is only its cover; then its controls are loaded. */
export function Recording({ attachment, onLoaded }: RecordingProps) {
  const { type, url, preview_url: cover, description, meta } = attachment;
  const player = useRef<HTMLDivElement>(null);
  const media = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const isStarted = useSignal(false);
  /** Whether the controls could not be loaded, so that those of the browser have to do. */
  const hasNativeControls = useSignal(false);
  const name = description || t(type === 'audio' ? 'media.audio' : 'media.video');
  const begin = (): void => {
    if (isStarted.peek()) return;
    isStarted.value = true;
    if (controls.peek() === undefined) loadControls().catch(() => (hasNativeControls.value = true));
  };
  const common = {
    ref: media,
    src: url ?? '',
    preload: 'none' as const,
    controls: hasNativeControls.value,
    'aria-label': name,
    onPlay: () => {
      begin();
      if (media.current !== null) recordPlaying(media.current);
    },
  };
  const Controls = controls.value?.Component;
  const duration = meta?.original?.duration;
  return (
    <div ref={player} class="player" role="group" aria-label={name}>
      {type === 'audio' ? (
        <audio {...common} />
      ) : (
        <video {...common} poster={cover ?? undefined} playsInline onLoadedData={onLoaded} />
      )}
      {!isStarted.value && (
        <button
          type="button"
          class="media-open start"
          data-key="v"
          aria-label={t('media.play', { name })}
          onClick={() => {
            begin();
            // In the press itself: browsers permit no sound later.
            if (media.current !== null) playMedia(media.current);
          }}
        >
          <span class="play" aria-hidden="true">
            <Icon svg={play} />
          </span>
          {duration !== undefined && <span class="media-mark">{formatTime(duration)}</span>}
        </button>
      )}
      {isStarted.value && Controls !== undefined && media.current !== null && (
        <Controls media={media.current} player={player} fallback={attachment.remote_url ?? url ?? ''} />
      )}
    </div>
  );
}
