/** English texts of the composer. */
export const composer = {} as const;
