/** Returns a time of a recording: `1:05`, `1:02:03`. */
export function formatTime(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const padded = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${padded(minutes)}:${padded(rest)}` : `${minutes}:${padded(rest)}`;
}

export const seekSeconds = 5;
const volumeStep = 0.1;

interface Playback {
  readonly currentTime: number;
  readonly duration: number;
  readonly volume: number;
}

/**
 * Returns what a key changes in a player; undefined if it has no meaning. Time runs to the right in every language, as on all
 * players.
 */
export function playerKey(
  key: string,
  { currentTime, duration, volume }: Playback,
): { readonly currentTime: number } | { readonly volume: number } | undefined {
  const bounded = (value: number, max: number): number => Math.min(max, Math.max(0, value));
  const end = Number.isFinite(duration) ? duration : 0;
  switch (key) {
    case 'ArrowLeft':
      return { currentTime: bounded(currentTime - seekSeconds, end) };
    case 'ArrowRight':
      return { currentTime: bounded(currentTime + seekSeconds, end) };
    case 'Home':
      return { currentTime: 0 };
    case 'End':
      return { currentTime: end };
    case 'ArrowUp':
      return { volume: bounded(volume + volumeStep, 1) };
    case 'ArrowDown':
      return { volume: bounded(volume - volumeStep, 1) };
    default:
      return undefined;
  }
}
