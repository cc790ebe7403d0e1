import { copyNull, type CopyBuffer } from './copy-buffer.ts';
import type { Person } from './people.ts';

const hourMs = 3_600_000;

/** Older events have no notification. */
export const notificationWindowMs = 60 * 24 * hourMs;

/** `to` and `from` are indexes of people. */
interface DemoNotification {
  readonly to: number;
  readonly from: number;
  readonly id: string;
  readonly at: number;
  /** Null for a follow. */
  readonly statusId: string | null;
}

/** Generates the notifications of local people. */
export class NotificationGenerator {
  readonly #people: readonly Person[];
  readonly #now: number;
  readonly #buffer: CopyBuffer;

  constructor(people: readonly Person[], now: number, buffer: CopyBuffer) {
    this.#people = people;
    this.#now = now;
    this.#buffer = buffer;
  }

  /** Adds a notification, if the receiver is local and the event is recent. */
  add(
    type: 'mention' | 'quote' | 'favourite' | 'reblog' | 'follow',
    { to, from, id, at, statusId }: DemoNotification,
  ): void {
    const receiver = this.#people[to];
    if (receiver === undefined || receiver.domain !== null || to === from || at < this.#now - notificationWindowMs)
      return;
    const subject = statusId === null ? type : `${type}-${statusId}`;
    const isGrouped = type !== 'mention' && type !== 'quote';
    const group = isGrouped ? `${subject}-${Math.floor(at / (12 * hourMs)) * 12}` : copyNull;
    const status = statusId ?? copyNull;
    this.#buffer.add(
      `${receiver.id}\t${id}\t${type}\t${this.#people[from]?.id}\t${status}\t${group}\t${new Date(at).toISOString()}`,
    );
  }
}
