import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { request } from '../api/client.ts';
import type { Status, Translation } from '../api/entities.ts';
import { locale } from '../i18n/translate.tsx';
import { instance } from '../session/session.ts';
import { showError } from '../ui/toasts.tsx';

const translations = new Map<string, Signal<Translation | undefined>>();

function entry(id: string): Signal<Translation | undefined> {
  let found = translations.get(id);
  if (found === undefined) translations.set(id, (found = signal<Translation | undefined>(undefined)));
  return found;
}

/** Returns the translation of a post that the reader asked for; undefined: it is shown as written. */
export const translationOf = (id: string): ReadonlySignal<Translation | undefined> => entry(id);

/** Whether a post can be translated into the reader's language. */
export function isTranslatable({ visibility, language, content }: Status): boolean {
  if (instance.value?.configuration.translation.enabled !== true || content === '') return false;
  const isPublic = visibility === 'public' || visibility === 'unlisted';
  return isPublic && language?.split('-', 1)[0] !== locale.value;
}

/** Translates a post into the reader's language. */
export async function translate(id: string): Promise<void> {
  try {
    const body = { lang: locale.peek() };
    entry(id).value = await request<Translation>('POST', `/api/v1/statuses/${id}/translate`, { body });
  } catch (error) {
    showError(error, () => void translate(id));
  }
}

/** Shows a post as it was written. */
export function showOriginal(id: string): void {
  entry(id).value = undefined;
}
