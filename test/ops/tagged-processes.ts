import { readdirSync, readFileSync } from 'node:fs';

/** Lists the command lines of processes that inherited `tag` in their environment. Linux only. */
export function listTagged(tag: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isTagged = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(tag);
        return isTagged ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')] : [];
      } catch {
        return []; // It ended, or belongs to another user.
      }
    });
}
