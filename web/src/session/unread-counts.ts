import { signal } from '@preact/signals';
import { request } from '../api/client.ts';
import { repeatWhileVisible } from './repeat-while-visible.ts';

/** The number of unread notifications of each account of the browser, up to 100. */
export const unreadCounts = signal<ReadonlyMap<string, number>>(new Map());

const intervalMs = 5 * 60_000;

/** Loads the counts now, regularly, and when the window comes into view, until the returned function is called. */
export const followUnreadCounts = (): (() => void) => repeatWhileVisible(() => void load(), intervalMs);

async function load(): Promise<void> {
  try {
    const counts = await request<readonly { account_id: string; count: number }[]>(
      'GET',
      '/api/web/session/unread_counts',
    );
    unreadCounts.value = new Map(counts.map(({ account_id: id, count }) => [id, count]));
  } catch {
    // The old counts stay.
  }
}
