import { loadTexts } from '../../i18n/translate.tsx';
import { showError } from '../../ui/toasts.tsx';

/** Whether the browser can read aloud. Some load their voices when they are asked for them first. */
export const hasVoices = (): boolean => 'speechSynthesis' in globalThis && speechSynthesis.getVoices().length > 0;

// So that the voices are there when a menu opens.
if ('requestIdleCallback' in globalThis) requestIdleCallback(hasVoices);

/** Ends what is read; undefined: nothing is. */
let end: (() => void) | undefined;

/** Reads posts aloud, one after another, in place of what is read. */
export async function readAloud(ids: readonly string[]): Promise<void> {
  try {
    const [{ startReading }] = await Promise.all([import('./reader.tsx'), loadTexts('reading')]);
    end?.();
    end = startReading(ids, () => (end = undefined));
  } catch (error) {
    showError(error, () => void readAloud(ids));
  }
}

/** Ends what is read, or reads a post. */
export function toggleReading(id: string): void {
  if (end === undefined) void readAloud([id]);
  else end();
}
