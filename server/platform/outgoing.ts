/** A request to another host. */
export interface OutgoingRequest {
  readonly method?: 'GET' | 'POST' | 'HEAD';
  readonly headers?: Record<string, string>;
  readonly body?: Buffer | string;
  /** Largest answer in bytes, after decompression; 1 MiB when not named. */
  readonly maxBytes?: number;
  /** For all of it, in milliseconds; 10,000 when not named. */
  readonly timeout?: number;
  /** Redirects that are followed (GET only), each checked anew; 3 when not named. */
  readonly maxRedirects?: number;
}

export interface OutgoingResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The address that answered, after redirects. */
  readonly url: string;
}

/** Every request to another host goes through here. */
export interface Outgoing {
  /** Throws OutgoingError when the host is refused or does not answer in time and size; never for a status. */
  request(url: string, request?: OutgoingRequest): Promise<OutgoingResponse>;
  close(): Promise<void>;
}

/** Why a request to another host got no answer. `refused`: by our own rules, a retry makes no sense. */
export class OutgoingError extends Error {
  override name = 'OutgoingError';
  readonly reason: 'refused' | 'timeout' | 'too-large' | 'unreachable';

  constructor(reason: OutgoingError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
