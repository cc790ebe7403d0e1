import { request } from './client.ts';
import type { AsyncRefresh } from './entities.ts';

/** Parses the header Mastodon-Async-Refresh: `id="…", retry=5`. */
export function parseRefresh(header: string): { readonly id: string; readonly retryMs: number } | undefined {
  const id = /\bid="([^"]+)"/.exec(header)?.[1];
  const seconds = Number(/\bretry=(\d+)/.exec(header)?.[1] ?? 5);
  return id === undefined ? undefined : { id, retryMs: Math.max(1, seconds) * 1_000 };
}

/** Polls the progress of work in the background, and calls back once when it is done. Returns how to stop. */
export function followRefresh(header: string, onDone: () => void): () => void {
  const refresh = parseRefresh(header);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const poll = async (id: string, retryMs: number): Promise<void> => {
    const path = `/api/v1_alpha/async_refreshes/${encodeURIComponent(id)}`;
    // If it cannot be asked, what was loaded so far is loaded.
    const progress = await request<{ readonly async_refresh: AsyncRefresh }>('GET', path).catch(() => undefined);
    if (progress?.async_refresh.status === 'running') timer = setTimeout(() => void poll(id, retryMs), retryMs);
    else onDone();
  };
  if (refresh !== undefined) timer = setTimeout(() => void poll(refresh.id, refresh.retryMs), refresh.retryMs);
  return () => clearTimeout(timer);
}
