/** Supported containers of video and audio. Only `demuxer` may open them, whatever they contain. */
interface AudioVideoFormat {
  /** FFmpeg's name of the demuxer. */
  readonly demuxer: string;
  readonly kind: 'video' | 'audio';
}

const mp4: AudioVideoFormat = { demuxer: 'mov', kind: 'video' };
const asf: AudioVideoFormat = { demuxer: 'asf', kind: 'audio' };

/**
 * By the content type detected from the bytes. A file without video frames is audio, whatever its container is called.
 */
const audioVideoFormats: Readonly<Record<string, AudioVideoFormat>> = {
  'video/mp4': mp4,
  'video/x-m4v': mp4,
  'video/quicktime': mp4,
  'video/3gpp': mp4,
  'video/3gpp2': mp4,
  'video/webm': { demuxer: 'matroska', kind: 'video' },
  'video/ogg': { demuxer: 'ogg', kind: 'video' },
  'audio/mp4': { ...mp4, kind: 'audio' },
  'audio/x-m4a': { ...mp4, kind: 'audio' },
  'audio/mpeg': { demuxer: 'mp3', kind: 'audio' },
  'audio/ogg': { demuxer: 'ogg', kind: 'audio' },
  'audio/wav': { demuxer: 'wav', kind: 'audio' },
  'audio/flac': { demuxer: 'flac', kind: 'audio' },
  'audio/aac': { demuxer: 'aac', kind: 'audio' },
  'audio/x-ms-asf': asf,
  'video/x-ms-asf': asf,
  'application/vnd.ms-asf': asf,
};

/**
 * Returns the format of a content type, which may have parameters (`audio/ogg; codecs=opus`); undefined if unsupported.
 */
export function audioVideoFormatOf(contentType: string): AudioVideoFormat | undefined {
  const [type = ''] = contentType.split(';', 1);
  return Object.hasOwn(audioVideoFormats, type) ? audioVideoFormats[type] : undefined;
}
