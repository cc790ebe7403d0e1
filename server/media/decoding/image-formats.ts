/** Image types that are read, by the content type that their bytes show, and the format that each is kept in. */
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

/** The content type that the bytes themselves show; empty when they show none. What a client calls a file counts nothing. */
export async function detectContentType(path: string): Promise<string> {
  const { fileTypeFromFile } = await import('file-type');
  return (await fileTypeFromFile(path))?.mime ?? '';
}
