/** The forms in which people may write a status, as `configuration.statuses.supported_mime_types` names them. */
export const contentTypes = ['text/plain', 'text/markdown'] as const;

export type ContentType = (typeof contentTypes)[number];
