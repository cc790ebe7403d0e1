import { useMemo } from 'preact/hooks';
import { request } from '../api/client.ts';
import { Changes, setFields } from '../store/changes.ts';
import type { Load } from './load.ts';
import { showError } from './toasts.tsx';

interface Shown<Value> {
  get value(): Value | undefined;
  set value(value: Value);
}

/** Returns the changes that the reader makes to an object that is loaded or in a signal. */
export const useChanges = <Value extends object>(shown: Shown<Value>): Changes<Value> =>
  useMemo(() => new Changes<Value>({ peek: () => shown.value, show: (_id, value) => (shown.value = value) }), [shown]);

/**
 * Returns a function that changes fields of an object of the API, by PATCH of its address. They show at once. A failure is
 * shown, and undoes them. Resolves to whether the server has them.
 */
export function usePatch<Value extends object>(
  path: string,
  loaded: Load<Value>,
): (fields: Partial<Value>) => Promise<boolean> {
  const changes = useChanges(loaded);
  const patch = (fields: Partial<Value>): Promise<boolean> =>
    changes.make(
      path,
      setFields<Value>(fields, {
        send: () => request<Value>('PATCH', path, { body: fields }),
        onError: (error) => showError(error, () => void patch(fields)),
      }),
    );
  return patch;
}
