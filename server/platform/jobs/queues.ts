/**
 * Queues of the job table. Jobs of one queue share a worker, so a job belongs with others that wait for the same thing:
 * `feeds` builds timelines, `mail` waits for the mail server, `media` for decoders, `cards` for linked pages, `remote` for
 * remote documents; `background` is long work in the database, such as deleting an account's rows.
 */
export const queues = ['default', 'feeds', 'mail', 'media', 'cards', 'remote', 'background'] as const;
export type Queue = (typeof queues)[number];

/** Returns the name of the worker that runs the jobs of a queue. */
export const workerOf = (queue: Queue): string => `jobs:${queue}`;
