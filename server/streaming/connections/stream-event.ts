/** An event for clients. Its bytes are encoded once for all connections that receive the same. */
export class StreamEvent {
  readonly name: string;
  readonly payload: string;
  readonly #frames = new Map<string, Buffer>();
  #lines: Buffer | undefined;
  #chunk: Buffer | undefined;

  /** `payload`: JSON text, or a bare id. */
  constructor(name: string, payload: string) {
    this.name = name;
    this.payload = payload;
  }

  /** Returns the WebSocket frame for a stream. `label`: the JSON of its name and parameter. */
  frame(label: string): Buffer {
    let frame = this.#frames.get(label);
    if (frame === undefined) {
      frame = encodeTextFrame(`{"stream":${label},"event":"${this.name}","payload":${this.#quotedPayload()}}`);
      this.#frames.set(label, frame);
    }
    return frame;
  }

  /** Returns the lines of a server-sent event, which do not name the stream. */
  lines(): Buffer {
    this.#lines ??= Buffer.from(`event: ${this.name}\ndata: ${this.payload}\n\n`);
    return this.#lines;
  }

  /** Returns the lines as a chunk of a response. */
  chunk(): Buffer {
    this.#chunk ??= encodeChunk(this.lines());
    return this.#chunk;
  }

  #quoted: string | undefined;

  #quotedPayload(): string {
    this.#quoted ??= JSON.stringify(this.payload);
    return this.#quoted;
  }
}

/** Encodes a chunk of a chunked response (RFC 9112, section 7.1). */
export const encodeChunk = (content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n')]);

const finalTextFrame = 0x81;

/** Encodes an unmasked, unfragmented text frame (RFC 6455, section 5.2). */
export function encodeTextFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const headerLength = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerLength + length);
  frame[0] = finalTextFrame;
  if (length < 126) {
    frame[1] = length;
  } else if (length < 65_536) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, headerLength);
  return frame;
}
