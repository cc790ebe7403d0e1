import type { App } from '../app.ts';

/** Parses a `Retry-After` header to whole seconds from now, from 1 to `maxSeconds`. Undefined if it is absent or invalid. */
export function retryAfterSeconds(app: App, field: string | undefined, maxSeconds: number): number | undefined {
  if (field === undefined) return undefined;
  const seconds = /^\d+$/.test(field.trim()) ? Number(field) : (Date.parse(field) - app.clock.now().getTime()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 1), maxSeconds);
}
