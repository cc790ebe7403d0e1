import { settings } from '../../session/settings.ts';

let playing: HTMLMediaElement | undefined;
/** What the reader chose in a player applies to the next ones, as long as the client runs. */
const chosen = { volume: 1, muted: false, playbackRate: 1 };

/** Records that something with sound plays: what played before pauses. Animations are silent and do not count. */
export function recordPlaying(element: HTMLMediaElement): void {
  if (playing !== element) playing?.pause();
  playing = element;
}

/** Plays a video or audio file with the chosen volume and speed. A refusal by the browser leaves it paused. */
export function playMedia(element: HTMLMediaElement): void {
  Object.assign(element, chosen);
  element.play().catch(() => undefined);
}

/** Records volume and speed for the next players. */
export function recordChoice({ volume, muted, playbackRate }: HTMLMediaElement): void {
  Object.assign(chosen, { volume, muted, playbackRate });
}

/** Whether nothing moves by itself. */
export const isMotionReduced = (): boolean =>
  settings.peek().appearance.motion === 'reduced' || matchMedia('(prefers-reduced-motion: reduce)').matches;
