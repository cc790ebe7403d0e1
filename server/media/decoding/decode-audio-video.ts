import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { maxPixels } from '../limits.ts';
import { remux, playableContainer } from './remux.ts';
import { audioVideoFormatOf } from './audio-video-formats.ts';
import { findTranscoder } from './find-transcoder.ts';
import { detectContentType, isImageType } from './image-formats.ts';
import { loadSharp } from './load-sharp.ts';
import { inspectFile } from './inspect-file.ts';
import { createCover } from './create-cover.ts';
import { probeAudioVideo, formatFrameRate, type AudioVideoInfo } from './probe-audio-video.ts';
import { readAnimation, type Animation } from './read-animation.ts';
import {
  Refused,
  type Cover,
  type DecodedAudioVideo,
  type AudioVideoTask,
  type OutputFile,
  type Size,
} from './tasks.ts';
import type { TranscodePlan, Transcoder } from './transcoder.ts';
import { copyAnimatedPng, writeAnimatedPng } from './write-animated-png.ts';

/** Maximum pixels of a stored frame: 1080p. */
const maxVideoArea = 1920 * 1080;
/** With more pixels in all frames together, speed matters more than size. */
const ultrafastThreshold = 8e9;

/**
 * Converts video to H.264 in MP4 and audio to MP3, without metadata, with a preview if there is an image. Files that
 * play everywhere are copied without encoding. Without a transcoder, only formats that browsers play are accepted.
 */
export async function decodeAudioVideo(task: AudioVideoTask): Promise<DecodedAudioVideo> {
  const { kind } = await inspectFile(task);
  const transcoder = await findTranscoder(task.ffmpeg);
  if (kind === 'animation') return decodeAnimation(task, transcoder);
  return kind === 'video' ? decodeVideo(task, transcoder) : decodeAudio(task, transcoder);
}

async function decodeVideo(
  { path, folder }: AudioVideoTask,
  transcoder: Transcoder | undefined,
): Promise<DecodedAudioVideo> {
  const facts = await probeAudioVideo(path);
  const container = facts === undefined ? undefined : playableContainer(facts);
  const plays = container === 'mp4';
  if (container !== undefined && (plays || transcoder === undefined)) {
    const file = await remux(path, folder, container);
    return { type: 'video', file, ...(await probeWithCover(file, transcoder, folder)) };
  }
  if (transcoder === undefined) throw new Refused('media.videoNotConvertible');
  const file = { path: join(folder, 'video.mp4'), contentType: 'video/mp4' };
  const demuxer = audioVideoFormatOf(await detectContentType(path))?.demuxer ?? '';
  await transcoder.transcodeVideo(path, file.path, planTranscode(facts, demuxer));
  return { type: 'video', file, ...(await probeWithCover(file, transcoder, folder)) };
}

function planTranscode(facts: AudioVideoInfo | undefined, demuxer: string): TranscodePlan {
  const video = facts?.video;
  const plan = { demuxer, hasAudio: facts === undefined || facts.audio !== undefined };
  if (video === undefined) return { ...plan, size: undefined, preset: 'ultrafast' };
  const scale = Math.min(1, Math.sqrt(maxVideoArea / (video.width * video.height)));
  const sides = [video.width * scale, video.height * scale] as const;
  const [width, height] = video.rotation % 180 === 0 ? sides : [sides[1], sides[0]];
  const size = evenSize({ width, height });
  const work = size.width * size.height * video.frameRate * (facts?.duration ?? 0);
  return { ...plan, size, preset: work > ultrafastThreshold ? 'ultrafast' : 'veryfast' };
}

/** Players need even dimensions: one colour sample covers two by two pixels. */
function evenSize({ width, height }: Size): Size {
  const even = (side: number): number => Math.max(2, Math.floor(side / 2) * 2);
  return { width: even(width), height: even(height) };
}

async function decodeAnimation(task: AudioVideoTask, transcoder: Transcoder | undefined): Promise<DecodedAudioVideo> {
  const { path, folder } = task;
  const type = await detectContentType(path);
  const animation = isImageType(type) ? await readAnimation(path, type) : undefined;
  if (animation === undefined) throw new Error('the image has one frame');
  if (transcoder === undefined) return encodeAnimatedImage(task, type, animation);
  const file = { path: join(folder, 'video.mp4'), contentType: 'video/mp4' };
  const isReadable = type !== 'image/webp' && !animation.hasShortDelays;
  const source = isReadable ? path : join(folder, 'frames.png');
  if (!isReadable) await (type === 'image/apng' ? copyAnimatedPng : writeAnimatedPng)(path, source, animation);
  await transcoder.transcodeVideo(source, file.path, {
    demuxer: type === 'image/gif' && isReadable ? 'gif' : 'apng',
    size: evenSize(animation),
    preset: 'veryfast',
    hasAudio: false,
    delays: animation.delays,
  });
  return { type: 'gifv', file, ...(await probeWithCover(file, transcoder, folder)) };
}

/** Re-encodes a GIF or WebP in its own format, for servers without a transcoder. */
async function encodeAnimatedImage(
  { path, folder }: AudioVideoTask,
  type: string,
  { width, height, delays }: Animation,
): Promise<DecodedAudioVideo> {
  if (type === 'image/apng') throw new Refused('media.animationNotConvertible');
  if (width * height * delays.length > maxPixels)
    throw new Refused(type === 'image/gif' ? 'media.gifNotConvertible' : 'media.animationNotConvertible');
  const sharp = await loadSharp();
  const image = sharp(path, { animated: true, limitInputPixels: maxPixels });
  const [format, extension] = type === 'image/gif' ? [image.gif({ effort: 3 }), 'gif'] : [image.webp(), 'webp'];
  const file = { path: join(folder, `animation.${extension}`), contentType: type };
  await format.toFile(file.path);
  const original = { width, height, size: `${width}x${height}`, aspect: width / height };
  return { type: 'image', file, original, cover: await createCover({ path: file.path, folder }) };
}

async function decodeAudio(
  { path, folder }: AudioVideoTask,
  transcoder: Transcoder | undefined,
): Promise<DecodedAudioVideo> {
  const facts = await probeAudioVideo(path);
  const container = facts === undefined ? undefined : playableContainer(facts);
  const file: OutputFile = await (async () => {
    if (container !== undefined && (container === 'mp3' || transcoder === undefined)) {
      return remux(path, folder, container);
    }
    if (transcoder === undefined) throw new Refused('media.audioNotConvertible');
    const converted = { path: join(folder, 'audio.mp3'), contentType: 'audio/mpeg' };
    await transcoder.transcodeAudio(
      path,
      converted.path,
      audioVideoFormatOf(await detectContentType(path))?.demuxer ?? '',
    );
    return converted;
  })();
  const { original } = await probeOutput(file);
  return { type: 'audio', file, original, cover: await coverFromTags(facts?.coverImage, folder) };
}

/** Creates a preview from the cover image in the tags of an audio file. Ignores a broken one. */
async function coverFromTags(image: Uint8Array | undefined, folder: string): Promise<Cover | undefined> {
  if (image === undefined) return undefined;
  const path = join(folder, 'tags');
  await writeFile(path, image);
  return createCover({ path, folder }).catch(() => undefined);
}

async function probeWithCover(
  file: OutputFile,
  transcoder: Transcoder | undefined,
  folder: string,
): Promise<Pick<DecodedAudioVideo, 'original' | 'cover'>> {
  const { original, duration, rotation, size } = await probeOutput(file);
  if (!(duration > 0)) throw new Error('the file has no playable content');
  if (transcoder === undefined) return { original, cover: undefined };
  const frame = join(folder, 'frame.png');
  await transcoder.extractFirstFrame(file.path, frame, { demuxer: 'mov', rotation, size });
  return { original, cover: await createCover({ path: frame, folder }) };
}

/** Returns the metadata of the result for clients. */
async function probeOutput(file: OutputFile): Promise<{
  duration: number;
  rotation: number;
  size: Size | undefined;
  original: DecodedAudioVideo['original'];
}> {
  const facts = await probeAudioVideo(file.path);
  if (facts === undefined) throw new Error('the converted file cannot be read');
  const { duration, video } = facts;
  const { size: bytes } = await stat(file.path);
  return {
    duration,
    rotation: video?.rotation ?? 0,
    size: video,
    original: {
      ...(video !== undefined && {
        width: video.width,
        height: video.height,
        frame_rate: formatFrameRate(video.frameRate),
      }),
      duration,
      ...(duration > 0 && { bitrate: Math.round((bytes * 8) / duration) }),
    },
  };
}
