/** Calls a function now, regularly, and when the window comes into view, until the returned function is called. */
export function repeatWhileVisible(run: () => void, intervalMs: number): () => void {
  const runIfVisible = (): void => {
    if (document.visibilityState === 'visible') run();
  };
  const timer = setInterval(runIfVisible, intervalMs);
  document.addEventListener('visibilitychange', runIfVisible);
  runIfVisible();
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', runIfVisible);
  };
}
