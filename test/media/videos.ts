import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decoder, Demuxer, Encoder, FilterAPI, Muxer, pipeline } from 'node-av/api';
import { AV_LOG_ERROR, type FFEncoderCodec } from 'node-av/constants';
import { Dictionary, Log } from 'node-av/lib';

/** Describes a video or audio file for a test. */
export interface VideoRecipe {
  /** Extension of the container. */
  readonly extension: string;
  /** FFmpeg's name of an encoder; undefined for audio files. */
  readonly video?: string;
  readonly audio?: string;
  readonly seconds?: number;
  readonly size?: string;
  /** Frames per second. */
  readonly frameRate?: number;
  /** Width of a pixel by its height, such as `2/1`. Default: square. */
  readonly pixelAspect?: string;
  readonly metadata?: Record<string, string>;
}

Log.setLevel(AV_LOG_ERROR);

let count = 0;

/** Creates a video or audio file with a test pattern and a tone. */
export async function createVideo(recipe: VideoRecipe): Promise<Buffer> {
  const { seconds = 1, size = '160x90', frameRate = 10, pixelAspect = '1' } = recipe;
  const path = join(tmpdir(), `video-${process.pid}-${(count += 1)}.${recipe.extension}`);
  try {
    await writeVideo(path, recipe, {
      videoSource: `testsrc2=size=${size}:rate=${frameRate}:duration=${seconds},setsar=${pixelAspect}`,
      audioSource: `sine=frequency=440:duration=${seconds}`,
    });
    return await readFile(path);
  } finally {
    await rm(path, { force: true });
  }
}

async function writeVideo(
  path: string,
  recipe: VideoRecipe,
  sources: { videoSource: string; audioSource: string },
): Promise<void> {
  await using output = await Muxer.open(path, {
    configure: (context) => {
      if (recipe.metadata !== undefined) context.metadata = Dictionary.fromObject(recipe.metadata);
    },
  });
  if (recipe.video === undefined) return await writeAudio(output, recipe.audio ?? '', sources.audioSource);
  await using videoSource = await Demuxer.open(sources.videoSource, { format: 'lavfi' });
  using decoder = await Decoder.create(videoSource.video() as never);
  using filter = FilterAPI.create(recipe.video === 'gif' ? 'format=rgb8' : 'format=yuv420p');
  using encoder = await Encoder.create(recipe.video as FFEncoderCodec, {
    decoder,
    filter,
    options: fastEncoderOptions(recipe.video),
  });
  if (recipe.audio === undefined) return await pipeline(videoSource, decoder, filter, encoder, output).completion;
  await using audioSource = await Demuxer.open(sources.audioSource, { format: 'lavfi' });
  using audioDecoder = await Decoder.create(audioSource.audio() as never);
  using audioEncoder = await Encoder.create(recipe.audio as FFEncoderCodec, {
    decoder: audioDecoder,
    autoResample: true,
  });
  const stages = { video: [decoder, filter, encoder], audio: [audioDecoder, audioEncoder] };
  return await pipeline({ video: videoSource, audio: audioSource }, stages, output).completion;
}

function fastEncoderOptions(encoder: string): Record<string, string | number> {
  if (encoder === 'libvpx-vp9') return { deadline: 'realtime', 'cpu-used': 8 };
  if (encoder === 'libx265') return { preset: 'ultrafast', 'x265-params': 'log-level=none' };
  return encoder === 'libx264' ? { preset: 'ultrafast' } : {};
}

async function writeAudio(output: Muxer, codec: string, source: string): Promise<void> {
  await using audioSource = await Demuxer.open(source, { format: 'lavfi' });
  using decoder = await Decoder.create(audioSource.audio() as never);
  using encoder = await Encoder.create(codec as FFEncoderCodec, { decoder, autoResample: true });
  await pipeline(audioSource, decoder, encoder, output).completion;
}
