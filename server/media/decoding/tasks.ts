/** What the decoding process is asked to do with one file. Results are written into `folder`. */
export type Task =
  | { readonly name: 'inspect'; readonly path: string }
  | { readonly name: 'image'; readonly path: string; readonly folder: string }
  | { readonly name: 'cover'; readonly path: string; readonly folder: string };

/** A file of the work folder with its content type and, if it is a picture, its size in pixels. */
export interface MadeFile {
  readonly path: string;
  readonly contentType: string;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface MadePicture extends MadeFile, Size {}

/** `#rrggbb` each. */
export interface Colours {
  readonly background: string;
  readonly foreground: string;
  readonly accent: string;
}

/** What a file is, from its bytes alone. */
export interface Inspected {
  /** `moving`: a GIF of more than one frame; `film`: pictures in motion; `sound`: nothing to see but perhaps a cover. */
  readonly kind: 'image' | 'moving' | 'film' | 'sound';
  readonly contentType: string;
}

export interface DecodedImage {
  readonly original: MadePicture;
  readonly small: MadePicture;
  readonly blurhash: string;
}

/** A preview made of any image. */
export interface Cover {
  readonly small: MadePicture;
  readonly blurhash: string;
  readonly colours: Colours;
}

/** The result of each task. */
export interface Results {
  readonly inspect: Inspected;
  readonly image: DecodedImage;
  readonly cover: Cover;
}

/** What the decoding process answers: a result, or why the file is refused, in words for its owner. */
export type Reply = { readonly done: unknown } | { readonly refused: string } | { readonly failed: string };

/** Thrown inside the decoding process for a file that its owner is to be told about. */
export class Refused extends Error {
  override name = 'Refused';
}
