import { timingSafeEqual } from 'node:crypto';

/** Compares secrets in constant time. */
export function isEqualInConstantTime(actual: string, expected: string): boolean {
  const [one, other] = [Buffer.from(actual), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
