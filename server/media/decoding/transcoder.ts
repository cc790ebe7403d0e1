import { maxVideoFrames } from '../limits.ts';
import { sumOf } from './read-animation.ts';
import type { Size } from './tasks.ts';

/** How to convert a video. */
export interface TranscodePlan {
  /** FFmpeg's name of the source container. */
  readonly demuxer: string;
  /** Even, in pixels, before rotation; undefined: the size of the source, at most 1080p. */
  readonly size: Size | undefined;
  /** x264's name of the trade-off between speed and size. */
  readonly preset: 'veryfast' | 'ultrafast';
  readonly hasAudio: boolean;
  /** Of an animated image: how long each frame is shown, in milliseconds. */
  readonly delays?: readonly number[];
}

/** The video that a frame is taken from. */
export interface FrameSource {
  /** FFmpeg's name of the container. */
  readonly demuxer: string;
  /** Clockwise rotation in degrees that makes it upright. */
  readonly rotation: number;
  /** Upright, with square pixels; undefined: that of the frame. */
  readonly size: Size | undefined;
}

/** Converts video and audio. Its methods reject if a file cannot be read. */
export interface Transcoder {
  readonly name: 'ffmpeg' | 'node-av';
  /** Converts to H.264 and AAC in MP4, without metadata. */
  transcodeVideo(source: string, target: string, plan: TranscodePlan): Promise<void>;
  /** Converts to MP3 without metadata. */
  transcodeAudio(source: string, target: string, demuxer: string): Promise<void>;
  /** Writes the first frame of a video, upright, into an image file. */
  extractFirstFrame(source: string, target: string, video: FrameSource): Promise<void>;
}

/**
 * Filters for frames that every player shows: in the given size, with common colours. Rotation stays in the metadata of
 * the container.
 */
export function videoFilters({ size, delays }: TranscodePlan): string {
  const scale =
    size === undefined
      ? "scale=w='iw*sar':h=ih,setsar=1,scale=w='trunc(min(iw,1920)/2)*2':h=-2"
      : `scale=${size.width}:${size.height}`;
  return [...(delays === undefined ? [] : timingFilters(delays)), scale, 'setsar=1', 'format=yuv420p'].join(',');
}

const maxAnimationFps = 50;

/**
 * Filters that show each frame of an animated image as long as it says, the last one too: with the highest frame rate that
 * all delays need. Containers end a video with its last frame and would lose how long that is shown.
 */
function timingFilters(delays: readonly number[]): string[] {
  const totalMs = sumOf(delays);
  const step = delays.reduce((divisor, delay) => greatestDivisor(divisor, Math.round(delay)), 0);
  const stepMs = Math.max(step, 1_000 / maxAnimationFps, totalMs / maxVideoFrames);
  return [
    `tpad=stop_mode=clone:stop_duration=${(delays.at(-1) ?? 0) / 1_000}`,
    `fps=fps=1000000/${Math.round(stepMs * 1_000)}`,
    `trim=duration=${totalMs / 1_000}`,
  ];
}

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other);

/** Filters that rotate a frame clockwise by 0, 90, 180 or 270 degrees, and give it square pixels. */
export function frameFilters({ rotation, size }: FrameSource): string {
  const turns = { 90: ['transpose=clock'], 180: ['hflip', 'vflip'], 270: ['transpose=cclock'] }[rotation] ?? [];
  const scale = size === undefined ? [] : [`scale=${Math.round(size.width)}:${Math.round(size.height)}`];
  return [...turns, ...scale, 'format=rgb24'].join(',');
}

/** Filter for audio that AAC and MP3 support. */
export const audioFilter = 'aformat=sample_rates=44100|48000:channel_layouts=mono|stereo';

/** Low, so that several conversions do not use the whole machine. */
export const threads = 2;
