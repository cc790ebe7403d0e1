import type { Status } from '../../api/entities.ts';
import { type Settings, settings } from '../../session/settings.ts';
import type { TimelineSource } from '../sources.ts';

/** Whether the reader wants to see the pictures of a timeline instead of its posts. */
export const showsMedia = ({ key }: TimelineSource): boolean => settings.value.mediaTimelines.includes(key);

/** Settings do not grow without end: the oldest choices are given up. */
const maxChoices = 100;

/** Returns the settings in which a timeline is shown by its pictures, or by its posts again. */
export const withMediaView =
  (key: string, isOn: boolean) =>
  ({ mediaTimelines }: Settings): Pick<Settings, 'mediaTimelines'> => {
    const others = mediaTimelines.filter((one) => one !== key);
    return { mediaTimelines: (isOn ? [...others, key] : others).slice(-maxChoices) };
  };

/** Returns the timeline of posts with media. The server selects them, except of lists. */
export const mediaSourceOf = (source: TimelineSource): TimelineSource =>
  source.key.startsWith('list:')
    ? source
    : { ...source, key: `${source.key}:media`, query: { ...source.query, only_media: true } };

type Attachment = Status['media_attachments'][number];

/** A picture of the grid. */
export interface Tile {
  readonly attachment: Attachment;
  readonly status: Status;
  readonly isCovered: boolean;
}

/**
 * Returns the pictures of posts, in order, each once: a post may be boosted several times. `isCovered` decides for a post.
 * Files without a picture are left out.
 */
export function tilesOf(statuses: readonly Status[], isCovered: (status: Status) => boolean): Tile[] {
  const tiles = new Map<string, Tile>();
  for (const status of statuses)
    for (const attachment of status.media_attachments)
      if (attachment.type !== 'unknown' && !tiles.has(attachment.id))
        tiles.set(attachment.id, { attachment, status, isCovered: isCovered(status) });
  return [...tiles.values()];
}

/** Returns the index to which a key moves in a grid; undefined if it does not move. */
export function gridStep(key: string, { index, count, columns, isRightToLeft }: GridPlace): number | undefined {
  const forward = isRightToLeft ? -1 : 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: index + forward,
    ArrowLeft: index - forward,
    ArrowDown: index + columns,
    ArrowUp: index - columns,
    Home: 0,
    End: count - 1,
  };
  const target = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return target === undefined || target < 0 || target >= count ? undefined : target;
}

interface GridPlace {
  readonly index: number;
  readonly count: number;
  readonly columns: number;
  readonly isRightToLeft: boolean;
}
