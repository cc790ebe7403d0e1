import type { App } from '../app.ts';

/** A named kind of message on the bus. */
export interface Channel<Message> {
  readonly name: string;
  /** Sends a small JSON message to every process, this one included. At most once; a list may arrive in parts. */
  publish(app: Pick<App, 'bus'>, message: Message): void;
  /** Calls `receive` for each message. Returns a function that ends the subscription. */
  subscribe(app: Pick<App, 'bus'>, receive: (message: Message) => void): () => void;
}

/** Declares a channel of the bus with the type of its messages. */
export function defineChannel<Message>(name: string): Channel<Message> {
  return {
    name,
    publish: ({ bus }, message) => bus.publish(name, message),
    subscribe: ({ bus }, receive) => bus.subscribe(name, (message) => receive(message as Message)),
  };
}
