/** English texts of the pages under /moderation. */
export const moderation = {} as const;
