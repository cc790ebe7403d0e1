import type * as Api from 'node-av/api';
import type * as Constants from 'node-av/constants';
import { imageLibrary } from './image-library.ts';
import { pictureFilters, soundFilter, threads, turningFilters, type Transcoder } from './transcoder.ts';

type Library = typeof Api & typeof Constants;

/** Converts with FFmpeg's libraries as the optional package node-av brings them; undefined where it is not installed. */
export async function libraryTranscoder(): Promise<Transcoder | undefined> {
  let library: Library;
  try {
    const { Log } = await import('node-av/lib');
    library = { ...(await import('node-av/constants')), ...(await import('node-av/api')) };
    Log.setLevel(library.AV_LOG_ERROR);
  } catch {
    return undefined;
  }
  return {
    film: (source, target, plan) => makeFilm(library, source, target, plan),
    sound: (source, target, demuxer) => makeSound(library, source, target, demuxer),
    firstFrame: (source, target, film) => makeFrame(library, source, target, film),
  };
}

async function makeFilm(
  { Decoder, Demuxer, Encoder, FilterAPI, Muxer, pipeline, FF_ENCODER_LIBX264, FF_ENCODER_AAC }: Library,
  ...[source, target, plan]: Parameters<Transcoder['film']>
): Promise<void> {
  await using input = await Demuxer.open(source, { format: plan.demuxer });
  const [pictures, sound] = [input.video(), plan.hasSound ? input.audio() : undefined];
  if (pictures === undefined) throw new Error('there are no pictures');
  using decoder = await Decoder.create(pictures, { threadCount: threads, exitOnError: false });
  using filter = FilterAPI.create(pictureFilters(plan), { threads });
  using encoder = await Encoder.create(FF_ENCODER_LIBX264, {
    decoder,
    filter,
    threadCount: threads,
    options: { preset: plan.preset, crf: 23 },
  });
  await using output = await Muxer.open(target, { format: 'mp4', options: { movflags: '+faststart' } });
  if (sound === undefined) {
    await pipeline(input, decoder, filter, encoder, output).completion;
    return;
  }
  using soundDecoder = await Decoder.create(sound, { exitOnError: false });
  using soundFilters = FilterAPI.create(soundFilter);
  using soundEncoder = await Encoder.create(FF_ENCODER_AAC, {
    decoder: soundDecoder,
    filter: soundFilters,
    bitrate: '128k',
    autoResample: true,
  });
  const stages = { video: [decoder, filter, encoder], audio: [soundDecoder, soundFilters, soundEncoder] };
  await pipeline(input, stages, output).completion;
}

async function makeSound(
  { Decoder, Demuxer, Encoder, FilterAPI, Muxer, pipeline, FF_ENCODER_LIBMP3LAME }: Library,
  ...[source, target, demuxer]: Parameters<Transcoder['sound']>
): Promise<void> {
  await using input = await Demuxer.open(source, { format: demuxer });
  const sound = input.audio();
  if (sound === undefined) throw new Error('there is no sound');
  using decoder = await Decoder.create(sound, { exitOnError: false });
  using filter = FilterAPI.create(soundFilter);
  using encoder = await Encoder.create(FF_ENCODER_LIBMP3LAME, { decoder, filter, bitrate: '192k', autoResample: true });
  await using output = await Muxer.open(target, { format: 'mp3', options: { id3v2_version: 0 } });
  await pipeline(input, decoder, filter, encoder, output).completion;
}

async function makeFrame(
  { Decoder, Demuxer, FilterAPI }: Library,
  ...[source, target, { demuxer, rotation }]: Parameters<Transcoder['firstFrame']>
): Promise<void> {
  await using input = await Demuxer.open(source, { format: demuxer });
  const pictures = input.video();
  if (pictures === undefined) throw new Error('there are no pictures');
  using decoder = await Decoder.create(pictures);
  using filter = FilterAPI.create(turningFilters(rotation));
  const sharp = await imageLibrary();
  for await (using frame of filter.frames(decoder.frames(input.packets(pictures.index)))) {
    if (frame === null) continue;
    const raw = { width: frame.width, height: frame.height, channels: 3 as const };
    await sharp(frame.toBuffer(), { raw }).png({ compressionLevel: 1 }).toFile(target);
    return;
  }
  throw new Error('there is no picture to decode');
}
