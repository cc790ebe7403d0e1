import { signal } from '@preact/signals';
import { request } from '../api/client.ts';
import type { MarkersByTimeline } from '../api/entities.ts';
import { compareIds } from '../store/compare-ids.ts';
import { shareChange } from '../store/other-windows.ts';
import { refreshUnread } from '../unread/index.ts';

/** Up to where notifications were read. What is newer stays marked while the page is open. */
export class ReadMarker {
  /** The last read id when the page was opened; undefined until it is loaded. */
  readonly readId = signal<string | undefined>(undefined);
  #stored = '0';

  async load(): Promise<void> {
    try {
      const query = { timeline: ['notifications'] };
      const { notifications } = await request<MarkersByTimeline>('GET', '/api/v1/markers', { query });
      this.#stored = notifications?.last_read_id ?? '0';
    } catch {
      // Without a marker everything is new.
    }
    this.readId.value = this.#stored;
  }

  isUnread(id: string): boolean {
    const read = this.readId.value;
    return read !== undefined && compareIds(id, read) > 0;
  }

  /** Stores that everything up to this id was seen, also for other devices. */
  async markRead(id: string): Promise<void> {
    if (this.readId.peek() === undefined || compareIds(id, this.#stored) <= 0) return;
    const before = this.#stored;
    this.#stored = id;
    try {
      await request('POST', '/api/v1/markers', { body: { notifications: { last_read_id: id } } });
      void refreshUnread();
      shareChange('notificationsRead', id);
    } catch {
      this.#stored = before;
    }
  }
}
