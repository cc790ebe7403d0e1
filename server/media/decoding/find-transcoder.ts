import { createFfmpegTranscoder } from './ffmpeg-transcoder.ts';
import { createNodeAvTranscoder } from './node-av-transcoder.ts';
import type { Transcoder } from './transcoder.ts';

/** Returns the available transcoder: ffmpeg if it is installed, else the optional library, else undefined. */
export async function findTranscoder(setting: string | undefined): Promise<Transcoder | undefined> {
  if (setting === 'none') return undefined;
  return (await createFfmpegTranscoder(setting ?? 'ffmpeg')) ?? createNodeAvTranscoder();
}
