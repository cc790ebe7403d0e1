const { subtle } = globalThis.crypto;
type KeyPair = Awaited<ReturnType<typeof generateKeys>>;
const curve = { name: 'ECDH', namedCurve: 'P-256' } as const;
const decode = (text: string): Buffer => Buffer.from(text, 'base64url');

const generateKeys = () => subtle.generateKey(curve, true, ['deriveBits']);

/** The payload of a push message. */
export interface PushPayload {
  readonly access_token: string;
  readonly preferred_locale: string;
  readonly notification_id: number;
  readonly notification_type: string;
  readonly icon: string;
  readonly title: string;
  readonly body: string;
}

/** A message as a push service receives it. */
interface Message {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

/** A user who can send requests: `TestUser`, without the types of the server, which tests of the web client lack. */
interface Subscriber<Response> {
  post(path: string, body: object): Promise<Response>;
}

/** A subscription of a browser, which decrypts what is sent to it. */
export class PushClient {
  readonly endpoint: string;
  readonly #keys: KeyPair;
  readonly #publicKey: Buffer;
  readonly #auth = Buffer.from(crypto.getRandomValues(new Uint8Array(16)));

  private constructor(endpoint: string, keys: KeyPair, publicKey: Buffer) {
    this.endpoint = endpoint;
    this.#keys = keys;
    this.#publicKey = publicKey;
  }

  static async create(endpoint: string): Promise<PushClient> {
    const keys = await generateKeys();
    return new PushClient(endpoint, keys, Buffer.from(await subtle.exportKey('raw', keys.publicKey)));
  }

  /** The parameter `subscription`, as `PushSubscription.toJSON()` of a browser has it. */
  get subscription() {
    return {
      endpoint: this.endpoint,
      keys: { p256dh: this.#publicKey.toString('base64url'), auth: this.#auth.toString('base64url') },
    };
  }

  /** Subscribes the token of a user. */
  subscribe<Response>(
    user: Subscriber<Response>,
    { standard = true, ...data }: SubscriptionOptions = {},
  ): Promise<Response> {
    return user.post('/api/v1/push/subscription', { subscription: { ...this.subscription, standard }, data });
  }

  /** Decrypts a message of either encoding. Throws if it was encrypted for another subscription. */
  async decrypt(message: Message): Promise<PushPayload> {
    return JSON.parse(await this.decryptText(message)) as PushPayload;
  }

  /** Decrypts a message as text, as a service worker receives it. */
  decryptText(message: Message): Promise<string> {
    const isStandard = this.#header(message, 'content-encoding') === 'aes128gcm';
    return isStandard ? this.#decrypt(message) : this.#decryptLegacy(message);
  }

  async #decrypt({ body }: Message): Promise<string> {
    const bytes = body as Buffer;
    const salt = bytes.subarray(0, 16);
    const serverKey = bytes.subarray(21, 21 + bytes.readUInt8(20));
    const shared = await this.#agree(serverKey);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#publicKey, serverKey]);
    const secret = await derive(shared, this.#auth, info, 32);
    const key = await derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
    const nonce = await derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
    const plain = await open(key, nonce, bytes.subarray(21 + serverKey.length));
    return plain.subarray(0, plain.lastIndexOf(2)).toString();
  }

  async #decryptLegacy(message: Message): Promise<string> {
    const serverKey = decode(parameter(this.#header(message, 'crypto-key'), 'dh'));
    const salt = decode(parameter(this.#header(message, 'encryption'), 'salt'));
    const shared = await this.#agree(serverKey);
    const secret = await derive(shared, this.#auth, Buffer.from('Content-Encoding: auth\0'), 32);
    const length = Buffer.from([0, 65]);
    const context = Buffer.concat([Buffer.from('P-256\0'), length, this.#publicKey, length, serverKey]);
    const info = (name: string) => Buffer.concat([Buffer.from(`Content-Encoding: ${name}\0`), context]);
    const key = await derive(secret, salt, info('aesgcm'), 16);
    const plain = await open(key, await derive(secret, salt, info('nonce'), 12), message.body as Buffer);
    return plain.subarray(2 + plain.readUInt16BE()).toString();
  }

  async #agree(serverKey: Buffer): Promise<Buffer> {
    const key = await subtle.importKey('raw', new Uint8Array(serverKey), curve, false, []);
    return Buffer.from(await subtle.deriveBits({ name: 'ECDH', public: key }, this.#keys.privateKey, 256));
  }

  #header({ headers }: Message, name: string): string {
    const value = headers?.[name];
    if (value === undefined) throw new Error(`the message has no header ${name}`);
    return value;
  }
}

export interface SubscriptionOptions {
  readonly standard?: boolean;
  readonly alerts?: Readonly<Record<string, boolean>>;
  readonly policy?: string;
}

/** Verifies the VAPID token of a message with the key that it comes with. Returns its claims and the key. */
export async function verifyVapid({ headers }: Message): Promise<{ claims: Record<string, unknown>; key: string }> {
  const authorization = headers?.['authorization'] ?? '';
  const isStandard = authorization.startsWith('vapid ');
  const token = isStandard ? parameter(authorization.slice(6), 't') : authorization.replace('WebPush ', '');
  const key = isStandard
    ? parameter(authorization.slice(6), 'k')
    : parameter(headers?.['crypto-key'] ?? '', 'p256ecdsa');
  const [header = '', claims = '', signature = ''] = token.split('.');
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const publicKey = await subtle.importKey('raw', new Uint8Array(decode(key)), algorithm, false, ['verify']);
  const content = new TextEncoder().encode(`${header}.${claims}`);
  if (!(await subtle.verify(algorithm, publicKey, new Uint8Array(decode(signature)), content)))
    throw new Error('the signature of the VAPID token is invalid');
  return { claims: JSON.parse(decode(claims).toString()) as Record<string, unknown>, key };
}

/** Returns a parameter of a header such as `dh=…;p256ecdsa=…`. */
function parameter(header: string, name: string): string {
  const pair = header.split(/[;,]\s*/).find((part) => part.startsWith(`${name}=`));
  if (pair === undefined) throw new Error(`${header} has no ${name}`);
  return pair.slice(name.length + 1);
}

async function derive(secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Promise<Buffer> {
  const key = await subtle.importKey('raw', new Uint8Array(secret), 'HKDF', false, ['deriveBits']);
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(salt), info: new Uint8Array(info) };
  return Buffer.from(await subtle.deriveBits(algorithm, key, bytes * 8));
}

async function open(key: Buffer, nonce: Buffer, sealed: Buffer): Promise<Buffer> {
  const imported = await subtle.importKey('raw', new Uint8Array(key), 'AES-GCM', false, ['decrypt']);
  const algorithm = { name: 'AES-GCM', iv: new Uint8Array(nonce) };
  return Buffer.from(await subtle.decrypt(algorithm, imported, new Uint8Array(sealed)));
}
