import captions from '@phosphor-icons/core/regular/closed-captioning.svg?raw';
import cornersIn from '@phosphor-icons/core/regular/corners-in.svg?raw';
import cornersOut from '@phosphor-icons/core/regular/corners-out.svg?raw';
import pause from '@phosphor-icons/core/fill/pause-fill.svg?raw';
import pictureInPicture from '@phosphor-icons/core/regular/picture-in-picture.svg?raw';
import play from '@phosphor-icons/core/fill/play-fill.svg?raw';
import speaker from '@phosphor-icons/core/regular/speaker-high.svg?raw';
import speakerOff from '@phosphor-icons/core/regular/speaker-slash.svg?raw';
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { formatCount, locale, t } from '../../i18n/translate.tsx';
import { Icon } from '../../ui/icon.tsx';
import { formatTime, playerKey } from './media-time.ts';
import { playMedia, recordChoice } from './playback.ts';
import './player.css';

export interface PlayerControlsProps {
  readonly media: HTMLMediaElement;
  /** Contains the media and the controls. */
  readonly player: RefObject<HTMLElement | null>;
  /** Where the file is, if the browser cannot play it. */
  readonly fallback: string;
}

/** The controls of a video or audio file, laid over a video. They leave while it plays and nobody moves. */
export function PlayerControls({ media, player, fallback }: PlayerControlsProps) {
  const state = useSignal(stateOf(media));
  const video = media instanceof HTMLVideoElement ? media : undefined;
  useEffect(() => {
    const read = (): void => void (state.value = stateOf(media));
    const readAndRecord = (): void => {
      read();
      recordChoice(media);
    };
    const choices = ['volumechange', 'ratechange'];
    for (const type of changes) media.addEventListener(type, read);
    for (const type of choices) media.addEventListener(type, readAndRecord);
    media.textTracks.addEventListener('addtrack', read);
    media.textTracks.addEventListener('change', read);
    read();
    return () => {
      for (const type of changes) media.removeEventListener(type, read);
      for (const type of choices) media.removeEventListener(type, readAndRecord);
      media.textTracks.removeEventListener('addtrack', read);
      media.textTracks.removeEventListener('change', read);
    };
  }, [media]);
  useWakefulness(media, player);
  usePlayerKeys(media, player);
  const { isPaused, time, duration, volume, rate, isCaptioned, hasCaptions, hasFailed } = state.value;
  const toggle = (): void => (media.paused ? playMedia(media) : media.pause());
  if (hasFailed)
    return (
      <p class="player-problem">
        <span>{t('player.failed')}</span>
        <a href={fallback} target="_blank" rel="noopener noreferrer">
          {t('player.openFile')}
        </a>
      </p>
    );
  return (
    // Time runs to the right in every language.
    <div class="player-controls" dir="ltr">
      <input
        type="range"
        class="player-position"
        aria-label={t('player.position')}
        aria-valuetext={t('player.positionOf', { time: formatTime(time), duration: formatTime(duration) })}
        min={0}
        max={duration || 1}
        step="any"
        value={time}
        style={{ '--part': duration > 0 ? time / duration : 0 }}
        onInput={({ currentTarget }) => (media.currentTime = Number(currentTarget.value))}
      />
      <button
        type="button"
        class="player-button"
        aria-label={t(isPaused ? 'player.play' : 'player.pause')}
        onClick={toggle}
      >
        <Icon svg={isPaused ? play : pause} />
      </button>
      <span class="player-time">
        {formatTime(time)} / {formatTime(duration)}
      </span>
      <button
        type="button"
        class="player-button"
        aria-label={t(volume === 0 ? 'player.unmute' : 'player.mute')}
        onClick={() => unmute(media, volume === 0)}
      >
        <Icon svg={volume === 0 ? speakerOff : speaker} />
      </button>
      <input
        type="range"
        class="player-volume"
        aria-label={t('player.volume')}
        aria-valuetext={`${Math.round(volume * 100)} %`}
        min={0}
        max={1}
        step={0.05}
        value={volume}
        style={{ '--part': volume }}
        onInput={({ currentTarget }) => {
          media.volume = Number(currentTarget.value);
          media.muted = media.volume === 0;
        }}
      />
      <select
        class="player-speed"
        aria-label={t('player.speed')}
        value={String(rate)}
        onChange={({ currentTarget }) => (media.playbackRate = Number(currentTarget.value))}
      >
        {speeds.map((speed) => (
          <option key={speed} value={String(speed)}>
            {formatCount(speed)}×
          </option>
        ))}
      </select>
      {hasCaptions && (
        <button
          type="button"
          class="player-button"
          aria-label={t('player.captions')}
          aria-pressed={isCaptioned}
          onClick={() => showCaptions(media, !isCaptioned)}
        >
          <Icon svg={captions} />
        </button>
      )}
      {video !== undefined && <VideoButtons video={video} player={player} />}
    </div>
  );
}

interface VideoButtonsProps extends Pick<PlayerControlsProps, 'player'> {
  readonly video: HTMLVideoElement;
}

function VideoButtons({ video, player }: VideoButtonsProps) {
  const isFullScreen = useSignal(false);
  useEffect(() => {
    const read = (): void => void (isFullScreen.value = document.fullscreenElement === player.current);
    document.addEventListener('fullscreenchange', read);
    return () => document.removeEventListener('fullscreenchange', read);
  }, []);
  return (
    <>
      {document.pictureInPictureEnabled && (
        <button
          type="button"
          class="player-button picture"
          aria-label={t('player.pictureInPicture')}
          onClick={() => void togglePicture(video)}
        >
          <Icon svg={pictureInPicture} />
        </button>
      )}
      {canFillScreen(video) && (
        <button
          type="button"
          class="player-button"
          aria-label={t(isFullScreen.value ? 'player.leaveFullScreen' : 'player.fullScreen')}
          onClick={() => void toggleFullScreen(video, player.current)}
        >
          <Icon svg={isFullScreen.value ? cornersIn : cornersOut} />
        </button>
      )}
    </>
  );
}

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2];

/** What changes the controls, besides volume and speed. */
const changes = ['play', 'pause', 'timeupdate', 'seeking', 'durationchange', 'loadedmetadata', 'ended', 'error'];

const captionTracks = ({ textTracks }: HTMLMediaElement): TextTrack[] =>
  [...textTracks].filter(({ kind }) => kind === 'subtitles' || kind === 'captions');

const stateOf = (media: HTMLMediaElement) => ({
  isPaused: media.paused,
  time: media.currentTime,
  duration: Number.isFinite(media.duration) ? media.duration : 0,
  volume: media.muted ? 0 : media.volume,
  rate: media.playbackRate,
  hasCaptions: captionTracks(media).length > 0,
  isCaptioned: captionTracks(media).some(({ mode }) => mode === 'showing'),
  hasFailed: media.error !== null,
});

function unmute(media: HTMLMediaElement, isOn: boolean): void {
  media.muted = !isOn;
  if (isOn && media.volume === 0) media.volume = 1;
}

/** Shows the captions in the language of the reader, or the first ones. */
function showCaptions(media: HTMLMediaElement, isOn: boolean): void {
  const tracks = captionTracks(media);
  const best = tracks.find(({ language }) => language.split('-', 1)[0] === locale.peek()) ?? tracks[0];
  for (const track of tracks) track.mode = isOn && track === best ? 'showing' : 'disabled';
}

async function togglePicture(video: HTMLVideoElement): Promise<void> {
  // The browser may refuse it, such as for a video that is not loaded yet.
  if (document.pictureInPictureElement === video) await document.exitPictureInPicture().catch(() => undefined);
  else await video.requestPictureInPicture().catch(() => undefined);
}

/** An iPhone fills its screen with nothing but videos, by a method of its own. */
type PhoneVideo = HTMLVideoElement & { readonly webkitEnterFullscreen?: () => void };

const canFillScreen = (video: PhoneVideo): boolean =>
  document.fullscreenEnabled || video.webkitEnterFullscreen !== undefined;

async function toggleFullScreen(video: PhoneVideo, player: HTMLElement | null): Promise<void> {
  if (document.fullscreenElement !== null) await document.exitFullscreen().catch(() => undefined);
  else if (document.fullscreenEnabled) await player?.requestFullscreen().catch(() => undefined);
  else video.webkitEnterFullscreen?.();
}

const idleMs = 2_500;

/** Marks the player as idle while it plays and no pointer moved for a while, and toggles a video that is pressed. */
function useWakefulness(media: HTMLMediaElement, player: PlayerControlsProps['player']): void {
  useEffect(() => {
    const { current } = player;
    if (current === null || !(media instanceof HTMLVideoElement)) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wake = (): void => {
      clearTimeout(timer);
      delete current.dataset['idle'];
      timer = setTimeout(() => {
        if (!media.paused) current.dataset['idle'] = '';
      }, idleMs);
    };
    const press = (event: MouseEvent): void => {
      const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
      const wasIdle = 'idle' in current.dataset;
      wake();
      // The first touch brings the controls back.
      if (isTouch && wasIdle && !media.paused) return;
      if (media.paused) playMedia(media);
      else media.pause();
    };
    wake();
    current.addEventListener('pointermove', wake);
    current.addEventListener('keydown', wake);
    media.addEventListener('play', wake);
    media.addEventListener('pause', wake);
    media.addEventListener('click', press);
    return () => {
      clearTimeout(timer);
      current.removeEventListener('pointermove', wake);
      current.removeEventListener('keydown', wake);
      media.removeEventListener('play', wake);
      media.removeEventListener('pause', wake);
      media.removeEventListener('click', press);
    };
  }, [media]);
}

/** Makes arrow keys seek and change the volume, and the space bar play and pause, where they mean nothing else. */
function usePlayerKeys(media: HTMLMediaElement, player: PlayerControlsProps['player']): void {
  useEffect(() => {
    const { current } = player;
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || target instanceof HTMLSelectElement) return;
      const isVolume = target instanceof HTMLElement && target.classList.contains('player-volume');
      const change = isVolume ? undefined : playerKey(key, media);
      const isSpace = key === ' ' && !(target instanceof HTMLButtonElement);
      if (change === undefined && !isSpace && !isVolume) return;
      // The page and the viewer have other meanings for them.
      event.stopPropagation();
      if (isVolume) return;
      event.preventDefault();
      if (change !== undefined) Object.assign(media, change);
      else if (media.paused) playMedia(media);
      else media.pause();
    };
    current?.addEventListener('keydown', onKeyDown);
    return () => current?.removeEventListener('keydown', onKeyDown);
  }, [media]);
}
