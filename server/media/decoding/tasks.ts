import type { MessageArguments, MessageKey } from '../../platform/i18n/catalogue.ts';

/** The tasks of the decoding process, each for one file. Results are written into `folder`. */
export type Task =
  | { readonly name: 'inspect'; readonly path: string }
  | { readonly name: 'image'; readonly path: string; readonly folder: string }
  | { readonly name: 'cover'; readonly path: string; readonly folder: string }
  | ProfileImageTask
  | EmojiTask
  | SiteImageTask
  | AudioVideoTask;

export type ProfileImageKind = 'avatar' | 'header';

export interface ProfileImageTask {
  readonly name: 'profile-image';
  readonly path: string;
  readonly folder: string;
  readonly kind: ProfileImageKind;
}

export interface EmojiTask {
  readonly name: 'emoji';
  readonly path: string;
  readonly folder: string;
}

export type SiteImageKind = 'thumbnail' | 'icon';

export interface SiteImageTask {
  readonly name: 'site-image';
  readonly path: string;
  readonly folder: string;
  readonly kind: SiteImageKind;
}

export interface AudioVideoTask {
  readonly name: 'audio-video';
  readonly path: string;
  readonly folder: string;
  /** The setting FFMPEG. */
  readonly ffmpeg: string | undefined;
}

/** A file in the work folder with its content type and, for an image, its size in pixels. */
export interface OutputFile {
  readonly path: string;
  readonly contentType: string;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface OutputImage extends OutputFile, Size {}

/** Colours as `#rrggbb`. */
export interface Colours {
  readonly background: string;
  readonly foreground: string;
  readonly accent: string;
}

/** The type of a file, detected from its bytes alone. */
export interface InspectedFile {
  /** `animation`: a GIF with several frames; `audio`: without video, but possibly with a cover image. */
  readonly kind: 'image' | 'animation' | 'video' | 'audio';
  readonly contentType: string;
}

export interface DecodedImage {
  readonly original: OutputImage;
  readonly small: OutputImage;
  readonly blurhash: string;
}

/** A preview of a video, an audio file or an uploaded image. */
export interface Cover {
  readonly small: OutputImage;
  readonly blurhash: string;
  readonly colours: Colours;
}

/** A video or audio file in a format that browsers play. */
export interface DecodedAudioVideo {
  /** `image` for a GIF that could not be converted to video. */
  readonly type: 'video' | 'gifv' | 'audio' | 'image';
  readonly file: OutputFile;
  /** MediaAttachment.meta.original. */
  readonly original: {
    readonly width?: number;
    readonly height?: number;
    /** A fraction, such as `30000/1001`. */
    readonly frame_rate?: string;
    /** Seconds. */
    readonly duration?: number;
    /** Bits per second. */
    readonly bitrate?: number;
  };
  /** Undefined for audio without a cover image, or for video without a transcoder. */
  readonly cover: Cover | undefined;
}

export interface DecodedProfileImage {
  readonly file: OutputFile;
  /** Of an animated one. */
  readonly still: OutputFile | undefined;
}

/** The versions of an image of the site. */
export interface DecodedSiteImage {
  readonly files: Readonly<Record<string, OutputFile>>;
  readonly blurhash: string;
}

/** Results by task. */
export interface Results {
  readonly inspect: InspectedFile;
  readonly image: DecodedImage;
  readonly cover: Cover;
  readonly 'audio-video': DecodedAudioVideo;
  readonly 'profile-image': DecodedProfileImage;
  readonly emoji: DecodedProfileImage;
  readonly 'site-image': DecodedSiteImage;
}

/**
 * The reply of the decoding process: a result, or the reason of a refusal, as a text for the owner. `full`: the disk
 * was full, so that nothing is known about the file.
 */
export type Reply =
  | { readonly done: unknown }
  | { readonly refused: Refusal }
  | { readonly full: string }
  | { readonly failed: string };

/** A text for the owner of a refused file, as it is sent between processes. */
export interface Refusal {
  readonly key: MessageKey;
  readonly params: Readonly<Record<string, string | number>>;
}

/** Thrown inside the decoding process to refuse a file with a text for its owner. */
export class Refused<Key extends MessageKey = MessageKey> extends Error {
  override name = 'Refused';
  readonly refusal: Refusal;

  constructor(key: Key, ...args: MessageArguments<Key, string | number>) {
    super(key);
    this.refusal = { key, params: args[0] ?? {} };
  }
}
