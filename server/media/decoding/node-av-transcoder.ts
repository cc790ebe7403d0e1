import type * as Api from 'node-av/api';
import type * as Constants from 'node-av/constants';
import { loadSharp } from './load-sharp.ts';
import { videoFilters, audioFilter, threads, frameFilters, type Transcoder } from './transcoder.ts';

type NodeAv = typeof Api & typeof Constants;

/** Converts with FFmpeg's libraries in the optional package node-av. Returns undefined if it is not installed. */
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
    name: 'node-av',
    transcodeVideo: (source, target, plan) => transcodeVideoWith(library, source, target, plan),
    transcodeAudio: (source, target, demuxer) => transcodeAudioWith(library, source, target, demuxer),
    extractFirstFrame: (source, target, video) => extractFirstFrameWith(library, source, target, video),
  };
}

async function transcodeVideoWith(
  { Decoder, Demuxer, Encoder, FilterAPI, Muxer, pipeline, FF_ENCODER_LIBX264, FF_ENCODER_AAC }: NodeAv,
  ...[source, target, plan]: Parameters<Transcoder['transcodeVideo']>
): Promise<void> {
  await using input = await Demuxer.open(source, { format: plan.demuxer });
  const [videoStream, audioStream] = [input.video(), plan.hasAudio ? input.audio() : undefined];
  if (videoStream === undefined) throw new Error('the file has no video stream');
  using decoder = await Decoder.create(videoStream, { threadCount: threads, exitOnError: false });
  using filter = FilterAPI.create(videoFilters(plan), { threads });
  using encoder = await Encoder.create(FF_ENCODER_LIBX264, {
    decoder,
    filter,
    threadCount: threads,
    options: { preset: plan.preset, crf: 23 },
  });
  await using output = await Muxer.open(target, { format: 'mp4', options: { movflags: '+faststart' } });
  if (audioStream === undefined) {
    await pipeline(input, decoder, filter, encoder, output).completion;
    return;
  }
  using audioDecoder = await Decoder.create(audioStream, { exitOnError: false });
  using soundFilters = FilterAPI.create(audioFilter);
  using audioEncoder = await Encoder.create(FF_ENCODER_AAC, {
    decoder: audioDecoder,
    filter: soundFilters,
    bitrate: '128k',
    autoResample: true,
  });
  const stages = { video: [decoder, filter, encoder], audio: [audioDecoder, soundFilters, audioEncoder] };
  await pipeline(input, stages, output).completion;
}

async function transcodeAudioWith(
  { Decoder, Demuxer, Encoder, FilterAPI, Muxer, pipeline, FF_ENCODER_LIBMP3LAME }: NodeAv,
  ...[source, target, demuxer]: Parameters<Transcoder['transcodeAudio']>
): Promise<void> {
  await using input = await Demuxer.open(source, { format: demuxer });
  const audioStream = input.audio();
  if (audioStream === undefined) throw new Error('the file has no audio stream');
  using decoder = await Decoder.create(audioStream, { exitOnError: false });
  using filter = FilterAPI.create(audioFilter);
  using encoder = await Encoder.create(FF_ENCODER_LIBMP3LAME, { decoder, filter, bitrate: '192k', autoResample: true });
  await using output = await Muxer.open(target, { format: 'mp3', options: { id3v2_version: 0 } });
  await pipeline(input, decoder, filter, encoder, output).completion;
}

async function extractFirstFrameWith(
  { Decoder, Demuxer, FilterAPI }: NodeAv,
  ...[source, target, video]: Parameters<Transcoder['extractFirstFrame']>
): Promise<void> {
  await using input = await Demuxer.open(source, { format: video.demuxer });
  const videoStream = input.video();
  if (videoStream === undefined) throw new Error('the file has no video stream');
  using decoder = await Decoder.create(videoStream);
  using filter = FilterAPI.create(frameFilters(video));
  const sharp = await loadSharp();
  for await (using frame of filter.frames(decoder.frames(input.packets(videoStream.index)))) {
    if (frame === null) continue;
    const raw = { width: frame.width, height: frame.height, channels: 3 as const };
    await sharp(frame.toBuffer(), { raw }).png({ compressionLevel: 1 }).toFile(target);
    return;
  }
  throw new Error('the file has no frame to decode');
}
