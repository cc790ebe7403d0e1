import type { Size } from './tasks.ts';

/** How a film is made. */
export interface TranscodePlan {
  /** FFmpeg's name of the container that the source is in. */
  readonly demuxer: string;
  /** Even, in pixels, before it is turned upright; as the source is, within 1080p, when it is not known. */
  readonly size: Size | undefined;
  /** x264's name of how much time it takes. */
  readonly preset: 'veryfast' | 'ultrafast';
  readonly hasAudio: boolean;
}

/** The film that a picture is taken from. */
export interface FrameSource {
  /** FFmpeg's name of its container. */
  readonly demuxer: string;
  /** Degrees by which it has to be turned clockwise. */
  readonly rotation: number;
}

/** Something that converts films and sounds. It rejects when a file cannot be read. */
export interface Transcoder {
  /** H.264 and AAC in MP4, without metadata. */
  transcodeVideo(source: string, target: string, plan: TranscodePlan): Promise<void>;
  /** MP3 without metadata. */
  transcodeAudio(source: string, target: string, demuxer: string): Promise<void>;
  /** The first picture of a film, upright, as an image file. */
  extractFirstFrame(source: string, target: string, film: FrameSource): Promise<void>;
}

/**
 * Filters that make any picture one that every player shows: in the size asked for, with usual colours. How it is to be
 * turned stays beside it, in the container.
 */
export function videoFilters({ size }: TranscodePlan): string {
  const scale = size === undefined ? "scale=w='trunc(min(iw,1920)/2)*2':h=-2" : `scale=${size.width}:${size.height}`;
  return [scale, 'setsar=1', 'format=yuv420p'].join(',');
}

/** Filters that turn a picture clockwise by 0, 90, 180 or 270 degrees. */
export function rotationFilters(rotation: number): string {
  const turns = { 90: ['transpose=clock'], 180: ['hflip', 'vflip'], 270: ['transpose=cclock'] }[rotation] ?? [];
  return [...turns, 'format=rgb24'].join(',');
}

/** Filter that makes any sound one that AAC and MP3 carry. */
export const audioFilter = 'aformat=sample_rates=44100|48000:channel_layouts=mono|stereo';

/** Kept low: several conversions must not take the whole machine. */
export const threads = 2;
