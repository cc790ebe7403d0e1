import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const userPresent = 0x01;
const userVerified = 0x04;
const hasCredential = 0x40;

interface CeremonyOptions {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** A passkey with its authenticator and browser. Tests change its properties to misbehave. */
export class SoftwareAuthenticator {
  readonly #id = randomBytes(16);
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  origin = 'https://fieldfare.test';
  isUserVerified = true;
  /** What a passkey that was created returns as the user, in base64url. */
  userHandle = '';
  counter = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
  }

  /** What a server stores of it: the id, and the public key as COSE. */
  get credential(): { readonly id: Buffer; readonly publicKey: Buffer } {
    return { id: this.#id, publicKey: this.#coseKey() };
  }

  /** Returns what `navigator.credentials.create()` would, as JSON. */
  create(options: CeremonyOptions): string {
    this.userHandle = options.user?.id ?? '';
    const length = Buffer.from([0, this.#id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.#id, this.#coseKey()]);
    const authData = this.#authenticatorData(options, hasCredential, credential);
    // CBOR: { fmt: 'none', attStmt: {}, authData }
    const head = Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex');
    const size = Buffer.from([0x58, authData.length]);
    return this.#credentialJson({
      clientDataJSON: this.#clientData('webauthn.create', options).toString('base64url'),
      attestationObject: Buffer.concat([head, size, authData]).toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Returns what `navigator.credentials.get()` would, as JSON. */
  get(options: CeremonyOptions): string {
    const authData = this.#authenticatorData(options, 0, Buffer.alloc(0));
    const clientData = this.#clientData('webauthn.get', options);
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#privateKey);
    return this.#credentialJson({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: this.userHandle,
    });
  }

  #credentialJson(response: object): string {
    const id = this.#id.toString('base64url');
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
  }

  #clientData(type: string, { challenge }: CeremonyOptions): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  #authenticatorData({ rpId, rp }: CeremonyOptions, flags: number, more: Buffer): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const allFlags = Buffer.from([flags | userPresent | (this.isUserVerified ? userVerified : 0)]);
    return Buffer.concat([sha256(rpId ?? rp?.id ?? ''), allFlags, counter, more]);
  }

  /** Encodes the public key as COSE: { 1: 2, 3: -7, -1: 1, -2: x, -3: y }. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    const bytes = (text: string): Buffer => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text, 'base64url')]);
    const head = Buffer.from('a5010203262001', 'hex');
    return Buffer.concat([head, Buffer.from([0x21]), bytes(x), Buffer.from([0x22]), bytes(y)]);
  }
}
