declare module 'heic-convert' {
  /** Decodes the first image of a HEIC file and encodes it again. `quality` from 0 to 1. */
  export default function convert(options: {
    buffer: Buffer;
    format: 'JPEG' | 'PNG';
    quality?: number;
  }): Promise<ArrayBuffer>;
}
