/** A priority queue by time: a binary heap. */
export class EventQueue<Event extends { readonly at: number }> {
  readonly #events: Event[] = [];

  get size(): number {
    return this.#events.length;
  }

  push(event: Event): void {
    const events = this.#events;
    let place = events.length;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = events[parent] as Event;
      if (above.at <= event.at) break;
      events[place] = above;
      place = parent;
    }
    events[place] = event;
  }

  /** Removes and returns the earliest event. */
  pop(): Event | undefined {
    const events = this.#events;
    const [first] = events;
    const last = events.pop();
    if (last === undefined || events.length === 0) return first;
    let place = 0;
    for (let child = 1; child < events.length; child = 2 * place + 1) {
      const right = events[child + 1];
      if (right !== undefined && right.at < (events[child] as Event).at) child += 1;
      if ((events[child] as Event).at >= last.at) break;
      events[place] = events[child] as Event;
      place = child;
    }
    events[place] = last;
    return first;
  }
}
