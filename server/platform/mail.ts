/** A message with a plain and an HTML body. */
export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

/** Sends mail; call it from jobs only. */
export interface Mailer {
  send(message: Message): Promise<void>;
  close(): Promise<void>;
}
