import { createFfmpegTranscoder } from './ffmpeg-transcoder.ts';
import { createNodeAvTranscoder } from './node-av-transcoder.ts';
import type { Transcoder } from './transcoder.ts';

/** The transcoder that there is: ffmpeg where it is installed, else the optional library, else none. */
export async function findTranscoder(setting: string | undefined): Promise<Transcoder | undefined> {
  if (setting === 'none') return undefined;
  return (await createFfmpegTranscoder(setting ?? 'ffmpeg')) ?? createNodeAvTranscoder();
}
