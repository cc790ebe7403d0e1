/**
 * Queues of stored jobs. Each queue has a worker, and its jobs wait for the same resource: `feeds` for timelines,
 * `mail` for the mail server, `bulk_mail` for the same with newsletters, so that other mail does not wait for them,
 * `media` for decoders, `cards` for linked pages, `remote` for remote documents, `push` for push services, `webhooks`
 * for their receivers. Nobody waits for `search`, so on a busy server the posts of a second are indexed together.
 * `background` is long work in the database, such as deleting the rows of an account.
 */
export const queues = [
  'default',
  'feeds',
  'mail',
  'bulk_mail',
  'media',
  'cards',
  'remote',
  'push',
  'webhooks',
  'search',
  'background',
] as const;
export type Queue = (typeof queues)[number];

const prefix = 'jobs:';

/** Returns the name of the worker that runs the jobs of a queue. */
export const workerOf = (queue: Queue): string => `${prefix}${queue}`;

/** Returns the queue of a worker. Those that run no stored jobs, such as `inbox`, have one of their own name. */
export const queueOf = ({ name }: { readonly name: string }): string =>
  name.startsWith(prefix) ? name.slice(prefix.length) : name;
