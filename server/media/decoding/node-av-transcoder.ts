import type * as Api from 'node-av/api';
import type * as Constants from 'node-av/constants';
import { loadSharp } from './load-sharp.ts';
import { videoFilters, audioFilter, threads, rotationFilters, type Transcoder } from './transcoder.ts';

type NodeAv = typeof Api & typeof Constants;

/** Converts with FFmpeg's libraries as the optional package node-av brings them; undefined where it is not installed. */
export async function createNodeAvTranscoder(): Promise<Transcoder | undefined> {
  let library: NodeAv;
  try {
    const { Log } = await import('node-av/lib');
    library = { ...(await import('node-av/constants')), ...(await import('node-av/api')) };
    Log.setLevel(library.AV_LOG_ERROR);
  } catch {
    return undefined;
  }
  return {
    transcodeVideo: (source, target, plan) => transcodeVideoWith(library, source, target, plan),
    transcodeAudio: (source, target, demuxer) => transcodeAudioWith(library, source, target, demuxer),
    extractFirstFrame: (source, target, film) => extractFirstFrameWith(library, source, target, film),
  };
}

async function transcodeVideoWith(
  { Decoder, Demuxer, Encoder, FilterAPI, Muxer, pipeline, FF_ENCODER_LIBX264, FF_ENCODER_AAC }: NodeAv,
  ...[source, target, plan]: Parameters<Transcoder['transcodeVideo']>
): Promise<void> {
  await using input = await Demuxer.open(source, { format: plan.demuxer });
  const [pictures, sound] = [input.video(), plan.hasAudio ? input.audio() : undefined];
  if (pictures === undefined) throw new Error('there are no pictures');
  using decoder = await Decoder.create(pictures, { threadCount: threads, exitOnError: false });
  using filter = FilterAPI.create(videoFilters(plan), { threads });
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
  using soundFilters = FilterAPI.create(audioFilter);
  using soundEncoder = await Encoder.create(FF_ENCODER_AAC, {
    decoder: soundDecoder,
    filter: soundFilters,
    bitrate: '128k',
    autoResample: true,
  });
  const stages = { video: [decoder, filter, encoder], audio: [soundDecoder, soundFilters, soundEncoder] };
  await pipeline(input, stages, output).completion;
}

async function transcodeAudioWith(
  { Decoder, Demuxer, Encoder, FilterAPI, Muxer, pipeline, FF_ENCODER_LIBMP3LAME }: NodeAv,
  ...[source, target, demuxer]: Parameters<Transcoder['transcodeAudio']>
): Promise<void> {
  await using input = await Demuxer.open(source, { format: demuxer });
  const sound = input.audio();
  if (sound === undefined) throw new Error('there is no sound');
  using decoder = await Decoder.create(sound, { exitOnError: false });
  using filter = FilterAPI.create(audioFilter);
  using encoder = await Encoder.create(FF_ENCODER_LIBMP3LAME, { decoder, filter, bitrate: '192k', autoResample: true });
  await using output = await Muxer.open(target, { format: 'mp3', options: { id3v2_version: 0 } });
  await pipeline(input, decoder, filter, encoder, output).completion;
}

async function extractFirstFrameWith(
  { Decoder, Demuxer, FilterAPI }: NodeAv,
  ...[source, target, { demuxer, rotation }]: Parameters<Transcoder['extractFirstFrame']>
): Promise<void> {
  await using input = await Demuxer.open(source, { format: demuxer });
  const pictures = input.video();
  if (pictures === undefined) throw new Error('there are no pictures');
  using decoder = await Decoder.create(pictures);
  using filter = FilterAPI.create(rotationFilters(rotation));
  const sharp = await loadSharp();
  for await (using frame of filter.frames(decoder.frames(input.packets(pictures.index)))) {
    if (frame === null) continue;
    const raw = { width: frame.width, height: frame.height, channels: 3 as const };
    await sharp(frame.toBuffer(), { raw }).png({ compressionLevel: 1 }).toFile(target);
    return;
  }
  throw new Error('there is no picture to decode');
}
