import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { request } from '../../api/client.ts';
import type { Status, Translation } from '../../api/entities.ts';
import { locale } from '../../i18n/translate.tsx';
import { instance } from '../../session/session.ts';
import { showError } from '../../ui/toasts.tsx';

const translations = new Map<string, Signal<Translation | undefined>>();

function entry(id: string): Signal<Translation | undefined> {
  let found = translations.get(id);
  if (found === undefined) translations.set(id, (found = signal<Translation | undefined>(undefined)));
  return found;
}

/** Returns the translation of a post that the reader asked for; undefined: it is shown as written. */
export const translationOf = (id: string): ReadonlySignal<Translation | undefined> => entry(id);

/** Whether a post can be translated into the reader's language. */
export function isTranslatable({ visibility, language, content, local_only: isLocalOnly }: Status): boolean {
  if (instance.value?.configuration.translation.enabled !== true || content === '') return false;
  const isPublic = (visibility === 'public' || visibility === 'unlisted') && isLocalOnly !== true;
  return isPublic && language?.split('-', 1)[0] !== locale.value;
}

/** Translates a post into the reader's language. */
export async function translate(id: string): Promise<void> {
  await translateAll([id]);
}

const maxParallel = 4;

/**
 * Translates posts into the reader's language, a few at a time. A failure ends it, and another attempt goes on there. Returns
 * whether all were translated.
 */
export async function translateAll(ids: readonly string[]): Promise<boolean> {
  const waiting = [...ids];
  const failed: string[] = [];
  let problem: unknown;
  const translateNext = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        const body = { lang: locale.peek() };
        entry(id).value = await request<Translation>('POST', `/api/v1/statuses/${id}/translate`, { body });
      } catch (error) {
        failed.push(id, ...waiting.splice(0));
        problem = error;
      }
    }
  };
  await Promise.all(Array.from({ length: maxParallel }, translateNext));
  if (failed.length > 0) showError(problem, () => void translateAll(failed));
  return failed.length === 0;
}

/** Shows a post as it was written. */
export function showOriginal(id: string): void {
  entry(id).value = undefined;
}
