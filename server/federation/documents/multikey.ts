import { createPublicKey } from 'node:crypto';
import { decodeMultibase, encodeMultibase } from './base58.ts';

/** The multicodec prefix of an Ed25519 public key. */
const ed25519Prefix = Buffer.from([0xed, 0x01]);
const ed25519Bytes = 32;
/** What precedes the bytes of a key in its SPKI (RFC 8410). */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** Returns the value of `publicKeyMultibase` for an Ed25519 key (FEP-521a). `pem`: its SPKI. */
export function encodeMultikey(pem: string): string {
  const spki = createPublicKey(pem).export({ type: 'spki', format: 'der' });
  return encodeMultibase(Buffer.concat([ed25519Prefix, spki.subarray(-ed25519Bytes)]));
}

/** Returns the SPKI in PEM of a `publicKeyMultibase`; undefined unless it is an Ed25519 key. */
export function parseMultikey(publicKeyMultibase: unknown): string | undefined {
  const bytes = decodeMultibase(publicKeyMultibase);
  if (bytes?.length !== ed25519Prefix.length + ed25519Bytes) return undefined;
  if (!bytes.subarray(0, ed25519Prefix.length).equals(ed25519Prefix)) return undefined;
  const spki = Buffer.concat([spkiPrefix, bytes.subarray(ed25519Prefix.length)]);
  return createPublicKey({ key: spki, format: 'der', type: 'spki' }).export({ type: 'spki', format: 'pem' }).toString();
}
