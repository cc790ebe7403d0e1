import type { Size } from './tasks.ts';

/** How a film is made. */
export interface FilmPlan {
  /** FFmpeg's name of the container that the source is in. */
  readonly demuxer: string;
  /** Even, in pixels, turned upright; as the source is, within 1080p, when it is not known. */
  readonly size: Size | undefined;
  /** Degrees by which the source has to be turned clockwise: 0, 90, 180 or 270. */
  readonly rotation: number;
  /** x264's name of how much time it takes. */
  readonly preset: 'veryfast' | 'ultrafast';
  readonly hasSound: boolean;
}

/** Something that converts films and sounds. It rejects when a file cannot be read. */
export interface Transcoder {
  /** H.264 and AAC in MP4, without metadata. */
  film(source: string, target: string, plan: FilmPlan): Promise<void>;
  /** MP3 without metadata. */
  sound(source: string, target: string, demuxer: string): Promise<void>;
  /** The first picture of a film in `demuxer`'s container, as an image file. */
  firstFrame(source: string, target: string, demuxer: string): Promise<void>;
}

/** Filters that make any picture one that every player shows: upright, in the size asked for, with usual colours. */
export function pictureFilters({ rotation, size }: FilmPlan): string {
  const turns = { 0: [], 90: ['transpose=clock'], 180: ['hflip', 'vflip'], 270: ['transpose=cclock'] }[rotation] ?? [];
  const scale = size === undefined ? "scale=w='trunc(min(iw,1920)/2)*2':h=-2" : `scale=${size.width}:${size.height}`;
  return [...turns, scale, 'setsar=1', 'format=yuv420p'].join(',');
}

/** Filter that makes any sound one that AAC and MP3 carry. */
export const soundFilter = 'aformat=sample_rates=44100|48000:channel_layouts=mono|stereo';

/** Kept low: several conversions must not take the whole machine. */
export const threads = 2;
