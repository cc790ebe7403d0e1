import { copyNull, type CopyBuffer } from './copy.ts';
import type { Person } from './people.ts';

const hour = 3_600_000;

/** Milliseconds: younger events than this are told to those concerned; older ones they have seen and cleared. */
export const told = 60 * 24 * hour;

/** Something that is told: places of people, when it happened, and the status that it is about. */
interface Notice {
  readonly to: number;
  readonly from: number;
  readonly id: string;
  readonly at: number;
  /** Null: about nothing but who did it. */
  readonly about: string | null;
}

/** What the people of a demonstration are notified of. */
export class Notices {
  readonly #people: readonly Person[];
  readonly #now: number;
  readonly #buffer: CopyBuffer;

  constructor(people: readonly Person[], now: number, buffer: CopyBuffer) {
    this.#people = people;
    this.#now = now;
    this.#buffer = buffer;
  }

  /** Tells a local account what another did, if that is not long ago. */
  add(type: 'mention' | 'quote' | 'favourite' | 'reblog' | 'follow', { to, from, id, at, about }: Notice): void {
    const receiver = this.#people[to];
    if (receiver === undefined || receiver.domain !== null || to === from || at < this.#now - told) return;
    const subject = about === null ? type : `${type}-${about}`;
    const isGrouped = type !== 'mention' && type !== 'quote';
    const group = isGrouped ? `${subject}-${Math.floor(at / (12 * hour)) * 12}` : copyNull;
    const status = about ?? copyNull;
    this.#buffer.add(
      `${receiver.id}\t${id}\t${type}\t${this.#people[from]?.id}\t${status}\t${group}\t${new Date(at).toISOString()}`,
    );
  }
}
