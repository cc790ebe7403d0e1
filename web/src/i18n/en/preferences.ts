/** English texts of the pages under /preferences. */
export const preferences = {} as const;
