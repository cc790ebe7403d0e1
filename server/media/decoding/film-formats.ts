/** Containers of films and sounds that are read. `demuxer` is the only one that may open them, whatever they hold. */
interface FilmFormat {
  /** Its name in FFmpeg. */
  readonly demuxer: string;
  readonly kind: 'film' | 'sound';
}

const mp4: FilmFormat = { demuxer: 'mov', kind: 'film' };
const asf: FilmFormat = { demuxer: 'asf', kind: 'sound' };

/** By the content type that the bytes show. What holds no pictures is a sound, whatever its container is called. */
const filmFormats: Readonly<Record<string, FilmFormat>> = {
  'video/mp4': mp4,
  'video/x-m4v': mp4,
  'video/quicktime': mp4,
  'video/3gpp': mp4,
  'video/3gpp2': mp4,
  'video/webm': { demuxer: 'matroska', kind: 'film' },
  'video/ogg': { demuxer: 'ogg', kind: 'film' },
  'audio/mp4': { ...mp4, kind: 'sound' },
  'audio/x-m4a': { ...mp4, kind: 'sound' },
  'audio/mpeg': { demuxer: 'mp3', kind: 'sound' },
  'audio/ogg': { demuxer: 'ogg', kind: 'sound' },
  'audio/wav': { demuxer: 'wav', kind: 'sound' },
  'audio/flac': { demuxer: 'flac', kind: 'sound' },
  'audio/aac': { demuxer: 'aac', kind: 'sound' },
  'audio/x-ms-asf': asf,
  'video/x-ms-asf': asf,
  'application/vnd.ms-asf': asf,
};

/** The format of a content type, which may carry parameters (`audio/ogg; codecs=opus`); undefined when it is not read. */
export function filmFormatOf(contentType: string): FilmFormat | undefined {
  const [type = ''] = contentType.split(';', 1);
  return Object.hasOwn(filmFormats, type) ? filmFormats[type] : undefined;
}
