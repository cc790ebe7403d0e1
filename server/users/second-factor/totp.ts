import { createHmac, randomBytes } from 'node:crypto';

const stepMs = 30_000;
const digits = 6;
const secretBytes = 20;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns a new secret for an authenticator app, of the length that RFC 4226 recommends. */
export const newTotpSecret = (): Buffer => randomBytes(secretBytes);

/** Returns the code of one time step (RFC 6238, with SHA-1, six digits and steps of 30 seconds, as apps expect). */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** digits).padStart(digits, '0');
}

/** Returns the time step of a moment. */
export const totpStep = (now: Date): number => Math.floor(now.getTime() / stepMs);

/**
 * Returns the time step of a code; undefined if the code is wrong. Also accepts the last and the next step, because clocks
 * differ.
 */
export function findTotpStep(secret: Buffer, code: string, now: Date): number | undefined {
  const current = totpStep(now);
  return [current, current - 1, current + 1].find((step) => step >= 0 && totpCode(secret, step) === code);
}

/** Encodes bytes as base32 without padding (RFC 4648), as authenticator apps take secrets. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** Returns the address that a QR code contains, so that an app takes the secret with its name. */
export function totpUri(secret: Buffer, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}
