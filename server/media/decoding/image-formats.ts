/** Supported image types, by the content type detected from their bytes, and the format that each is stored in. */
export const imageFormats = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/gif': 'png',
  'image/webp': 'webp',
  'image/avif': 'jpeg',
  'image/heic': 'jpeg',
  'image/heif': 'jpeg',
} as const;

export type ImageType = keyof typeof imageFormats;
export type ImageFormat = (typeof imageFormats)[ImageType];

export const extensions = { jpeg: 'jpg', png: 'png', webp: 'webp' } as const;

export function isImageType(contentType: string): contentType is ImageType {
  return contentType in imageFormats;
}

/**
 * Returns the content type detected from the bytes; empty if unknown. The name and type given by a client are ignored.
 */
export async function detectContentType(path: string): Promise<string> {
  const { fileTypeFromFile } = await import('file-type');
  return (await fileTypeFromFile(path))?.mime ?? '';
}
