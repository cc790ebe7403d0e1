import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  Conversion,
  FilePathTarget,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  WebMOutputFormat,
  type OutputFormat,
} from 'mediabunny';
import type { AudioVideoInfo } from './probe-audio-video.ts';
import { openAudioVideo } from './probe-audio-video.ts';
import type { OutputFile } from './tasks.ts';

interface Container {
  readonly format: () => OutputFormat;
  readonly extension: string;
  readonly contentType: string;
}

const mp4 = (): OutputFormat => new Mp4OutputFormat({ fastStart: 'in-memory' });

const containers = {
  mp4: { format: mp4, extension: 'mp4', contentType: 'video/mp4' },
  webm: { format: () => new WebMOutputFormat(), extension: 'webm', contentType: 'video/webm' },
  mp3: { format: () => new Mp3OutputFormat(), extension: 'mp3', contentType: 'audio/mpeg' },
  ogg: { format: () => new OggOutputFormat(), extension: 'ogg', contentType: 'audio/ogg' },
  m4a: { format: mp4, extension: 'm4a', contentType: 'audio/mp4' },
} as const satisfies Record<string, Container>;

/** Profiles of H.264 that every browser plays: Baseline, Main, High. */
const playableAvcProfiles = /^avc1\.(?:42|4d|58|64)/i;

/** Returns the container in which browsers play these codecs unchanged; undefined if the file must be converted. */
export function playableContainer({ video, audio }: AudioVideoInfo): keyof typeof containers | undefined {
  const audioCodec = audio?.codec;
  if (video === undefined) {
    if (audioCodec === 'mp3') return 'mp3';
    if (audioCodec === 'opus' || audioCodec === 'vorbis') return 'ogg';
    return audioCodec === 'aac' ? 'm4a' : undefined;
  }
  const isPlain = video.codec === 'avc' && playableAvcProfiles.test(video.codecText ?? '');
  if (isPlain && (audio === undefined || audioCodec === 'aac' || audioCodec === 'mp3')) return 'mp4';
  const isOpen = video.codec === 'vp8' || video.codec === 'vp9' || video.codec === 'av1';
  if (isOpen && (audio === undefined || audioCodec === 'opus' || audioCodec === 'vorbis')) return 'webm';
  return undefined;
}

/** Copies video and audio into a new container, without decoding them and without tags (places, names). */
export async function remux(path: string, folder: string, name: keyof typeof containers): Promise<OutputFile> {
  const { format, extension, contentType } = containers[name];
  const target = join(folder, `copy.${extension}`);
  const input = openAudioVideo(path);
  try {
    const output = new Output({ format: format(), target: new FilePathTarget(target) });
    const conversion = await Conversion.init({ input, output, tracks: 'primary', tags: {}, showWarnings: false });
    if (!conversion.isValid) throw new Error('the tracks cannot be copied');
    await conversion.execute();
  } finally {
    input.dispose();
  }
  if ((await stat(target)).size === 0) throw new Error('nothing was copied');
  return { path: target, contentType };
}
