import { useEffect, useMemo } from 'preact/hooks';
import { request } from '../api/client.ts';
import { Load } from './load.ts';
import { ErrorState, LoadingPosts } from './states.tsx';

/**
 * Loads the data of a component: from an address of the API, or by `load` for a key. A new key starts a new load. A load in
 * progress is cancelled then, and when the component is removed.
 */
export function useLoaded<Value>(
  key: string,
  load: (signal: AbortSignal) => Promise<Value> = (abortSignal) => request<Value>('GET', key, { signal: abortSignal }),
): Load<Value> {
  const loaded = useMemo(() => new Load<Value>(), [key]);
  loaded.source = load;
  useEffect(() => {
    void loaded.load();
    return () => loaded.close();
  }, [loaded]);
  return loaded;
}

/** Shown in place of what is not loaded: grey posts, or what went wrong with a button to try again. */
export function NotLoaded({ of, count }: { readonly of: Load<unknown>; readonly count?: number }) {
  if (of.error !== undefined) return <ErrorState error={of.error} onRetry={() => void of.load()} />;
  return <LoadingPosts {...(count !== undefined && { count })} />;
}
