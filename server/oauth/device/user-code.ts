import { randomInt } from 'node:crypto';

/** Consonants only, so that no words appear and no letter looks like a digit (RFC 8628, section 6.1). */
export const userCodeAlphabet = 'BCDFGHJKLMNPQRSTVWXZ';
/** 20^8 codes: 34.5 bits. */
export const userCodeLength = 8;

/** Returns a new user code, without the hyphen. */
export function newUserCode(): string {
  return Array.from({ length: userCodeLength }, () => userCodeAlphabet[randomInt(userCodeAlphabet.length)]).join('');
}

/** Parses a user code as people type it: in any case, with or without hyphens and spaces. */
export function parseUserCode(text: string): string | undefined {
  const code = text.toUpperCase().replaceAll(/[\s\p{Pd}]/gu, '');
  return code.length === userCodeLength && [...code].every((letter) => userCodeAlphabet.includes(letter))
    ? code
    : undefined;
}

/** Formats a user code in two groups: BCDF-GHJK. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, userCodeLength / 2)}-${code.slice(userCodeLength / 2)}`;
}
