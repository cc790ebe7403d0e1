/** What the decoding process is asked to do with one file. Results are written into `folder`. */
export type Task =
  | { readonly name: 'inspect'; readonly path: string }
  | { readonly name: 'image'; readonly path: string; readonly folder: string }
  | { readonly name: 'cover'; readonly path: string; readonly folder: string }
  | ProfileImageTask
  | EmojiTask
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

export interface AudioVideoTask {
  readonly name: 'audio-video';
  readonly path: string;
  readonly folder: string;
  /** The setting FFMPEG. */
  readonly ffmpeg: string | undefined;
}

/** A file of the work folder with its content type and, if it is a picture, its size in pixels. */
export interface OutputFile {
  readonly path: string;
  readonly contentType: string;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface OutputImage extends OutputFile, Size {}

/** `#rrggbb` each. */
export interface Colours {
  readonly background: string;
  readonly foreground: string;
  readonly accent: string;
}

/** What a file is, from its bytes alone. */
export interface InspectedFile {
  /** `moving`: a GIF of more than one frame; `film`: pictures in motion; `sound`: nothing to see but perhaps a cover. */
  readonly kind: 'image' | 'animation' | 'video' | 'audio';
  readonly contentType: string;
}

export interface DecodedImage {
  readonly original: OutputImage;
  readonly small: OutputImage;
  readonly blurhash: string;
}

/** A preview made of any image. */
export interface Cover {
  readonly small: OutputImage;
  readonly blurhash: string;
  readonly colours: Colours;
}

/** A film or sound as browsers play it. */
export interface DecodedAudioVideo {
  /** `image` for a GIF that could not be made a film. */
  readonly type: 'video' | 'gifv' | 'audio' | 'image';
  readonly file: OutputFile;
  /** MediaAttachment.meta.original. */
  readonly original: {
    readonly width?: number;
    readonly height?: number;
    /** A fraction, `30000/1001`. */
    readonly frame_rate?: string;
    /** Seconds. */
    readonly duration?: number;
    /** Bits a second. */
    readonly bitrate?: number;
  };
  /** None for a sound without a picture, or where nothing decodes films. */
  readonly cover: Cover | undefined;
}

export interface DecodedProfileImage {
  readonly file: OutputFile;
  /** Of one that moves. */
  readonly still: OutputFile | undefined;
}

/** The result of each task. */
export interface Results {
  readonly inspect: InspectedFile;
  readonly image: DecodedImage;
  readonly cover: Cover;
  readonly 'audio-video': DecodedAudioVideo;
  readonly 'profile-image': DecodedProfileImage;
  readonly emoji: DecodedProfileImage;
}

/**
 * The reply of the decoding process: a result, or the reason of a refusal, as a message to the owner. `full`: the disk was
 * full, so that nothing is known about the file.
 */
export type Reply =
  | { readonly done: unknown }
  | { readonly refused: string }
  | { readonly full: string }
  | { readonly failed: string };

/** Thrown inside the decoding process for a file that its owner is to be told about. */
export class Refused extends Error {
  override name = 'Refused';
}
