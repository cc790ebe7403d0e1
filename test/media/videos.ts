import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decoder, Demuxer, Encoder, FilterAPI, Muxer, pipeline } from 'node-av/api';
import { AV_LOG_ERROR, type FFEncoderCodec } from 'node-av/constants';
import { Dictionary, Log } from 'node-av/lib';

/** What a film of a test is made of. */
export interface VideoRecipe {
  /** Extension of the container. */
  readonly extension: string;
  /** FFmpeg's name of an encoder; none for a sound. */
  readonly video?: string;
  readonly audio?: string;
  readonly seconds?: number;
  readonly size?: string;
  /** Frames a second. */
  readonly frameRate?: number;
  readonly metadata?: Record<string, string>;
}

Log.setLevel(AV_LOG_ERROR);

let count = 0;

/** Makes a film or sound: a test pattern, a tone. */
export async function createVideo(recipe: VideoRecipe): Promise<Buffer> {
  const { seconds = 1, size = '160x90', frameRate = 10 } = recipe;
  const path = join(tmpdir(), `film-${process.pid}-${(count += 1)}.${recipe.extension}`);
  try {
    await writeVideo(path, recipe, {
      pictures: `testsrc2=size=${size}:rate=${frameRate}:duration=${seconds}`,
      sound: `sine=frequency=440:duration=${seconds}`,
    });
    return await readFile(path);
  } finally {
    await rm(path, { force: true });
  }
}

async function writeVideo(
  path: string,
  recipe: VideoRecipe,
  sources: { pictures: string; sound: string },
): Promise<void> {
  await using output = await Muxer.open(path, {
    configure: (context) => {
      if (recipe.metadata !== undefined) context.metadata = Dictionary.fromObject(recipe.metadata);
    },
  });
  if (recipe.video === undefined) return await writeAudio(output, recipe.audio ?? '', sources.sound);
  await using pictures = await Demuxer.open(sources.pictures, { format: 'lavfi' });
  using decoder = await Decoder.create(pictures.video() as never);
  using filter = FilterAPI.create(recipe.video === 'gif' ? 'format=rgb8' : 'format=yuv420p');
  using encoder = await Encoder.create(recipe.video as FFEncoderCodec, {
    decoder,
    filter,
    options: fastEncoderOptions(recipe.video),
  });
  if (recipe.audio === undefined) return await pipeline(pictures, decoder, filter, encoder, output).completion;
  await using sound = await Demuxer.open(sources.sound, { format: 'lavfi' });
  using soundDecoder = await Decoder.create(sound.audio() as never);
  using soundEncoder = await Encoder.create(recipe.audio as FFEncoderCodec, {
    decoder: soundDecoder,
    autoResample: true,
  });
  const stages = { video: [decoder, filter, encoder], audio: [soundDecoder, soundEncoder] };
  return await pipeline({ video: pictures, audio: sound }, stages, output).completion;
}

function fastEncoderOptions(encoder: string): Record<string, string | number> {
  if (encoder === 'libvpx-vp9') return { deadline: 'realtime', 'cpu-used': 8 };
  if (encoder === 'libx265') return { preset: 'ultrafast', 'x265-params': 'log-level=none' };
  return encoder === 'libx264' ? { preset: 'ultrafast' } : {};
}

async function writeAudio(output: Muxer, codec: string, source: string): Promise<void> {
  await using sound = await Demuxer.open(source, { format: 'lavfi' });
  using decoder = await Decoder.create(sound.audio() as never);
  using encoder = await Encoder.create(codec as FFEncoderCodec, { decoder, autoResample: true });
  await pipeline(sound, decoder, encoder, output).completion;
}
