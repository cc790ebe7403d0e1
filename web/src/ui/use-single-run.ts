import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

/**
 * Wraps what a form or button sends, so that one request runs at a time: calls before it ends are ignored, also those of
 * the same frame. Returns the function to call, and whether it runs, which disables the button.
 */
export function useSingleRun<Args extends readonly unknown[]>(
  action: (...args: Args) => Promise<void>,
): readonly [run: (...args: Args) => Promise<void>, isRunning: boolean] {
  const isRunning = useSignal(false);
  const latest = useRef(action);
  latest.current = action;
  const run = async (...args: Args): Promise<void> => {
    if (isRunning.peek()) return;
    isRunning.value = true;
    try {
      await latest.current(...args);
    } finally {
      isRunning.value = false;
    }
  };
  return [run, isRunning.value];
}
