import { useEffect, useRef } from 'preact/hooks';
import { request } from '../api/client.ts';

const refreshMs = 2_000;

/** Loads something of the API again every two seconds while the server works on it. A failure waits for the next time. */
export function useRefresh<Value>(path: string, isRunning: boolean, onLoaded: (value: Value) => void): void {
  const latest = useRef(onLoaded);
  latest.current = onLoaded;
  useEffect(() => {
    if (!isRunning) return undefined;
    const controller = new AbortController();
    const load = (): void =>
      void request<Value>('GET', path, { signal: controller.signal }).then(
        (value) => controller.signal.aborted || latest.current(value),
        () => undefined,
      );
    const timer = setInterval(load, refreshMs);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [path, isRunning]);
}
