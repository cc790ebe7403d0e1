import { signal, type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { request } from '../api/client.ts';
import { t } from '../i18n/translate.tsx';
import { ErrorState } from '../ui/states.tsx';

type State<Value> = { readonly value: Value } | { readonly error: unknown } | 'loading';

interface LoadedProps<Value> {
  /** Address of the API. */
  readonly path: string;
  /** Renders what was loaded; `set` replaces it after a change. */
  readonly children: (value: Value, set: (value: Value) => void) => ComponentChildren;
}

/** Loads what a page shows. A failure is shown in its place, with a button to try again. */
export function Loaded<Value>({ path, children }: LoadedProps<Value>) {
  const state: Signal<State<Value>> = useMemo(() => signal<State<Value>>('loading'), [path]);
  const load = async (): Promise<void> => {
    state.value = 'loading';
    try {
      state.value = { value: await request<Value>('GET', path) };
    } catch (error) {
      state.value = { error };
    }
  };
  useEffect(() => void load(), [path]);
  const current = state.value;
  if (current === 'loading') return <p class="soft preferences-loading" role="status" aria-label={t('app.loading')} />;
  if ('error' in current) return <ErrorState error={current.error} onRetry={() => void load()} />;
  return <>{children(current.value, (value) => (state.value = { value }))}</>;
}
