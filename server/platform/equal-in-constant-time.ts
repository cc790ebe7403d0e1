import { timingSafeEqual } from 'node:crypto';

/** Compares secrets in constant time. */
export function isEqualInConstantTime(actual: string | Buffer, expected: string | Buffer): boolean {
  const [one, other] = [toBuffer(actual), toBuffer(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const toBuffer = (value: string | Buffer): Buffer => (typeof value === 'string' ? Buffer.from(value) : value);
