import { Type, type TSchema } from 'typebox';

/** The schema of a response that is a text of a media type, or a file of it. */
export const textBody = (mediaType: string) => Type.String({ contentMediaType: mediaType });

/** The schema of a response without a body (`emptyResponse`). */
export const emptyBody = Type.String({ maxLength: 0, contentMediaType: 'text/html' });

/** Returns the media type of a text response; undefined for JSON. */
export function mediaTypeOf(schema: TSchema): string | undefined {
  const mediaType = 'contentMediaType' in schema ? schema.contentMediaType : undefined;
  return typeof mediaType === 'string' ? mediaType : undefined;
}

/** Returns whether any body of any type fits a schema. */
export const isUnknown = (schema: TSchema): boolean => Object.keys(schema).every((key) => key.startsWith('~'));
