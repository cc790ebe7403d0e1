import { ADTS, FilePathSource, FLAC, Input, MATROSKA, MP3, MP4, OGG, QTFF, WAVE, WEBM } from 'mediabunny';
import { maxDurationSeconds, maxVideoPixels, maxFrameRate, maxVideoFrames } from '../limits.ts';
import { Refused } from './tasks.ts';

/** Metadata of a video or audio file. */
export interface AudioVideoInfo {
  /** Seconds. */
  readonly duration: number;
  readonly video: VideoTrackInfo | undefined;
  readonly audio: { readonly codec: string | null } | undefined;
  /** Image in its tags, such as the cover of a record. */
  readonly coverImage: Uint8Array | undefined;
}

interface VideoTrackInfo {
  readonly codec: string | null;
  /** With the profile, such as `avc1.64001f`. */
  readonly codecText: string | null;
  /** As displayed, rotated upright. */
  readonly width: number;
  readonly height: number;
  readonly rotation: number;
  /** Frames per second. */
  readonly frameRate: number;
}

const maxProbedPackets = 200;

/** Opens a file with restricted readers: none follows URLs to other files. */
export function openAudioVideo(path: string): Input {
  return new Input({
    source: new FilePathSource(path),
    formats: [MP4, QTFF, WEBM, MATROSKA, OGG, MP3, WAVE, FLAC, ADTS],
  });
}

/** Reads the metadata of a video or audio file without decoding it. Undefined for an unsupported container. */
export async function probeAudioVideo(path: string): Promise<AudioVideoInfo | undefined> {
  const input = openAudioVideo(path);
  try {
    if (!(await input.canRead())) return undefined;
    const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
    const { images } = await input.getMetadataTags();
    return {
      duration: await input.computeDuration(),
      video: video === null ? undefined : await probeVideoTrack(video),
      audio: audio === null ? undefined : { codec: audio.codec },
      coverImage: images?.[0]?.data,
    };
  } finally {
    input.dispose();
  }
}

type VideoTrack = NonNullable<Awaited<ReturnType<Input['getPrimaryVideoTrack']>>>;

async function probeVideoTrack(track: VideoTrack): Promise<VideoTrackInfo> {
  const { averagePacketRate } = await track.computePacketStats(maxProbedPackets);
  return {
    codec: track.codec,
    codecText: await track.getCodecParameterString(),
    width: track.displayWidth,
    height: track.displayHeight,
    rotation: track.rotation,
    frameRate: averagePacketRate,
  };
}

/** Refuses files that would take too long to convert or to watch (reference/limits.tsv). */
export function assertSupportedAudioVideo({ duration, video, audio }: AudioVideoInfo): void {
  if (video === undefined && audio === undefined) throw new Refused('media.unverifiedType');
  if (!(duration <= maxDurationSeconds)) throw new Refused('media.tooLong');
  if (video === undefined) return;
  const { width, height, frameRate } = video;
  if (!(width * height > 0 && width * height <= maxVideoPixels)) {
    throw new Refused('media.videoTooLarge', { width, height });
  }
  // A rate measured over some frames differs slightly from the intended one.
  if (!(frameRate <= maxFrameRate * 1.05)) {
    throw new Refused('media.videoFrameRate', { rate: Math.round(frameRate) });
  }
  if (!(frameRate * duration <= maxVideoFrames * 1.05)) {
    throw new Refused('media.videoTooManyFrames', { max: maxVideoFrames });
  }
}

/** Returns frames per second as a fraction: `30/1`, `30000/1001` for the rates of television. */
export function formatFrameRate(rate: number): string {
  const whole = Math.round(rate);
  const television = Math.round(rate * 1.001);
  if (whole > 0 && Math.abs(rate - whole) / rate < 0.0004) return `${whole}/1`;
  if (television > 0 && Math.abs(rate - television / 1.001) / rate < 0.0004) return `${television * 1000}/1001`;
  return `${Math.round(rate * 1000)}/1000`;
}
