import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mostPixels } from '../limits.ts';
import { copyFilm, playableContainer } from './copy-film.ts';
import { filmFormatOf } from './film-formats.ts';
import { findTranscoder } from './find-transcoder.ts';
import { contentTypeOfFile } from './image-formats.ts';
import { imageLibrary } from './image-library.ts';
import { inspectFile } from './inspect-file.ts';
import { makeCover } from './make-cover.ts';
import { openImage } from './open-image.ts';
import { probeFilm, rateText, type FilmFacts } from './probe-film.ts';
import { Refused, type Cover, type DecodedFilm, type FilmTask, type MadeFile, type Size } from './tasks.ts';
import type { FilmPlan, Transcoder } from './transcoder.ts';

/** Pixels of a film as it is kept: 1080p. */
const keptArea = 1920 * 1080;
/** Pixels of all frames above which speed counts for more than size. */
const muchToEncode = 8e9;

/**
 * Makes a film H.264 in MP4 and a sound MP3, each without metadata and with a preview if there is something to see. What
 * plays everywhere as it is, is copied and not encoded anew. Without a transcoder only what browsers play is taken.
 */
export async function decodeFilm(task: FilmTask): Promise<DecodedFilm> {
  const { kind } = await inspectFile(task);
  const transcoder = await findTranscoder(task.ffmpeg);
  if (kind === 'moving') return decodeMoving(task, transcoder);
  return kind === 'film' ? decodePictures(task, transcoder) : decodeSound(task, transcoder);
}

async function decodePictures({ path, folder }: FilmTask, transcoder: Transcoder | undefined): Promise<DecodedFilm> {
  const facts = await probeFilm(path);
  const container = facts === undefined ? undefined : playableContainer(facts);
  const plays = container === 'mp4';
  if (container !== undefined && (plays || transcoder === undefined)) {
    const file = await copyFilm(path, folder, container);
    return { type: 'video', file, ...(await described(file, transcoder, folder)) };
  }
  if (transcoder === undefined) throw new Refused('Videos of this kind cannot be converted by this server');
  const file = { path: join(folder, 'film.mp4'), contentType: 'video/mp4' };
  const demuxer = filmFormatOf(await contentTypeOfFile(path))?.demuxer ?? '';
  await transcoder.film(path, file.path, planFor(facts, demuxer));
  return { type: 'video', file, ...(await described(file, transcoder, folder)) };
}

function planFor(facts: FilmFacts | undefined, demuxer: string): FilmPlan {
  const video = facts?.video;
  const plan = { demuxer, hasSound: facts === undefined || facts.audio !== undefined };
  if (video === undefined) return { ...plan, size: undefined, preset: 'ultrafast' };
  const scale = Math.min(1, Math.sqrt(keptArea / (video.width * video.height)));
  const sides = [video.width * scale, video.height * scale] as const;
  const [width, height] = video.rotation % 180 === 0 ? sides : [sides[1], sides[0]];
  const size = evenSize({ width, height });
  const work = size.width * size.height * video.frameRate * (facts?.duration ?? 0);
  return { ...plan, size, preset: work > muchToEncode ? 'ultrafast' : 'veryfast' };
}

/** Players want even sides: a colour covers two by two pixels. */
function evenSize({ width, height }: Size): Size {
  const even = (side: number): number => Math.max(2, Math.floor(side / 2) * 2);
  return { width: even(width), height: even(height) };
}

async function decodeMoving(task: FilmTask, transcoder: Transcoder | undefined): Promise<DecodedFilm> {
  const { path, folder } = task;
  const { width, height, pages } = await openImage(path);
  if (transcoder === undefined) return keepMoving(task, width * height * pages);
  const file = { path: join(folder, 'film.mp4'), contentType: 'video/mp4' };
  await transcoder.film(path, file.path, {
    demuxer: 'gif',
    size: evenSize({ width, height }),
    preset: 'veryfast',
    hasSound: false,
  });
  return { type: 'gifv', file, ...(await described(file, transcoder, folder)) };
}

/** A GIF as a GIF, written anew. */
async function keepMoving({ path, folder }: FilmTask, pixels: number): Promise<DecodedFilm> {
  if (pixels > mostPixels) throw new Refused('GIF files of so many frames cannot be converted by this server');
  const sharp = await imageLibrary();
  const file = { path: join(folder, 'moving.gif'), contentType: 'image/gif' };
  const { width, pageHeight = 0 } = await sharp(path, { animated: true, limitInputPixels: mostPixels })
    .gif({ effort: 3 })
    .toFile(file.path);
  const original = { width, height: pageHeight, size: `${width}x${pageHeight}`, aspect: width / pageHeight };
  return { type: 'image', file, original, cover: await makeCover({ path: file.path, folder }) };
}

async function decodeSound({ path, folder }: FilmTask, transcoder: Transcoder | undefined): Promise<DecodedFilm> {
  const facts = await probeFilm(path);
  const container = facts === undefined ? undefined : playableContainer(facts);
  const file: MadeFile = await (async () => {
    if (container !== undefined && (container === 'mp3' || transcoder === undefined)) {
      return copyFilm(path, folder, container);
    }
    if (transcoder === undefined) throw new Refused('Sounds of this kind cannot be converted by this server');
    const made = { path: join(folder, 'sound.mp3'), contentType: 'audio/mpeg' };
    await transcoder.sound(path, made.path, filmFormatOf(await contentTypeOfFile(path))?.demuxer ?? '');
    return made;
  })();
  const { original } = await factsOf(file);
  return { type: 'audio', file, original, cover: await coverOfTags(facts?.picture, folder) };
}

/** The picture of a sound's tags; one that is broken is as good as none. */
async function coverOfTags(picture: Uint8Array | undefined, folder: string): Promise<Cover | undefined> {
  if (picture === undefined) return undefined;
  const path = join(folder, 'tags');
  await writeFile(path, picture);
  return makeCover({ path, folder }).catch(() => undefined);
}

async function described(
  file: MadeFile,
  transcoder: Transcoder | undefined,
  folder: string,
): Promise<Pick<DecodedFilm, 'original' | 'cover'>> {
  const { original, duration, rotation } = await factsOf(file);
  if (!(duration > 0)) throw new Error('nothing of it can be shown');
  if (transcoder === undefined) return { original, cover: undefined };
  const frame = join(folder, 'frame.png');
  await transcoder.firstFrame(file.path, frame, { demuxer: 'mov', rotation });
  return { original, cover: await makeCover({ path: frame, folder }) };
}

/** What clients are told of the file that was made. */
async function factsOf(
  file: MadeFile,
): Promise<{ duration: number; rotation: number; original: DecodedFilm['original'] }> {
  const facts = await probeFilm(file.path);
  if (facts === undefined) throw new Error('what was made of it cannot be read');
  const { duration, video } = facts;
  const { size } = await stat(file.path);
  return {
    duration,
    rotation: video?.rotation ?? 0,
    original: {
      ...(video !== undefined && { width: video.width, height: video.height, frame_rate: rateText(video.frameRate) }),
      duration,
      ...(duration > 0 && { bitrate: Math.round((size * 8) / duration) }),
    },
  };
}
