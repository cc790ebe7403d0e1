import { copyNull, type CopyBuffer } from './copy-buffer.ts';
import type { Person } from './people.ts';

const hourMs = 3_600_000;

/** Milliseconds: younger events than this are told to those concerned; older ones they have seen and cleared. */
export const notificationWindowMs = 60 * 24 * hourMs;

/** Something that is told: places of people, when it happened, and the status that it is about. */
interface DemoNotification {
  readonly to: number;
  readonly from: number;
  readonly id: string;
  readonly at: number;
  /** Null: about nothing but who did it. */
  readonly statusId: string | null;
}

/** What the people of a demonstration are notified of. */
export class NotificationGenerator {
  readonly #people: readonly Person[];
  readonly #now: number;
  readonly #buffer: CopyBuffer;

  constructor(people: readonly Person[], now: number, buffer: CopyBuffer) {
    this.#people = people;
    this.#now = now;
    this.#buffer = buffer;
  }

  /** Tells a local account what another did, if that is not long ago. */
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
