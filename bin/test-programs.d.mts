/** The names of whole browsers that tests can use, the first that is found. */
export const browsers: readonly string[];

/** A browser without a window, which is cheaper and has no notifications. */
export const headlessShell: string;

/** Returns the path of a PgBouncer that is new enough; undefined if there is none. Tests of poolers are skipped then. */
export function findPooler(): string | undefined;

/** Returns the path of a program in PATH; undefined if there is none. */
export function findProgram(name: string): string | undefined;
