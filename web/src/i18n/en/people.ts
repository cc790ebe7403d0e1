/** English texts of profiles, lists and reports. */
export const people = {} as const;
