/** The formats in which users may write a status, as in `configuration.statuses.supported_mime_types`. */
export const contentTypes = ['text/plain', 'text/markdown'] as const;

export type ContentType = (typeof contentTypes)[number];
