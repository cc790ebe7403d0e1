import type { ComponentChildren } from 'preact';
import { t } from '../i18n/translate.tsx';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';

interface LoadedProps<Value> {
  /** Address of the API. */
  readonly path: string;
  /** Renders what was loaded; `set` replaces it after a change. */
  readonly children: (value: Value, set: (value: Value) => void) => ComponentChildren;
}

/** Loads what a page shows. A failure is shown in its place, with a button to try again. */
export function Loaded<Value>({ path, children }: LoadedProps<Value>) {
  const loaded = useLoaded<Value>(path);
  if (loaded.error !== undefined) return <NotLoaded of={loaded} />;
  if (loaded.value === undefined)
    return <p class="soft preferences-loading" role="status" aria-label={t('app.loading')} />;
  return <>{children(loaded.value, (value) => (loaded.value = value))}</>;
}
