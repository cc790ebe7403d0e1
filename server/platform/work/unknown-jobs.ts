import { perApp } from '../app.ts';

/**
 * Names of stored jobs that this process cannot run: a newer version stored them. It found them in claims, released them,
 * and claims no others with these names, so that a process that knows them runs them at once.
 */
export const unknownJobs = perApp(() => new Set<string>());
