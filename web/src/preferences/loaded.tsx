import type { ComponentChildren } from 'preact';
import { t } from '../i18n/translate.tsx';
import type { Load } from '../ui/load.ts';
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
  return <WhenLoaded of={loaded}>{(value) => children(value, (changed) => (loaded.value = changed))}</WhenLoaded>;
}

interface WhenLoadedProps<Value> {
  readonly of: Load<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** Renders what a page loaded by `useLoaded`, like `Loaded`. */
export function WhenLoaded<Value>({ of, children }: WhenLoadedProps<Value>) {
  if (of.error !== undefined) return <NotLoaded of={of} />;
  if (of.value === undefined) return <p class="soft preferences-loading" role="status" aria-label={t('app.loading')} />;
  return <>{children(of.value)}</>;
}
