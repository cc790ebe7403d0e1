/** English texts of notifications, search and explore. */
export const discovery = {} as const;
