import { audioVideoFormatOf } from './audio-video-formats.ts';
import { detectContentType, isImageType, type ImageType } from './image-formats.ts';
import { assertSupportedAudioVideo, probeAudioVideo } from './probe-audio-video.ts';
import { readAnimation } from './read-animation.ts';
import { Refused, type InspectedFile } from './tasks.ts';

/** Detects the type of a file. Rejects other types and files that are too large, before anything is decoded. */
export async function inspectFile({ path }: { path: string }): Promise<InspectedFile> {
  const contentType = await detectContentType(path);
  if (isImageType(contentType)) return inspectImage(path, contentType);
  const format = audioVideoFormatOf(contentType);
  if (format === undefined) throw new Refused('media.unverifiedType');
  const facts = await probeAudioVideo(path);
  if (facts === undefined) {
    // Only the transcoder can read these two; it reports whether they contain anything.
    if (!['asf', 'ogg'].includes(format.demuxer)) throw new Refused('media.unverifiedType');
    return { kind: format.kind, contentType };
  }
  // The prober does not know Theora, but the container has a video track.
  if (contentType === 'video/ogg' && facts.video === undefined) return { kind: 'video', contentType };
  assertSupportedAudioVideo(facts);
  return { kind: facts.video === undefined ? 'audio' : 'video', contentType };
}

async function inspectImage(path: string, contentType: ImageType): Promise<InspectedFile> {
  const animation = await readAnimation(path, contentType);
  return { kind: animation === undefined ? 'image' : 'animation', contentType };
}
