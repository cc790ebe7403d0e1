import { useEffect, useState } from 'preact/hooks';

const scrollBufferPx = 800;

/** Returns how far outside the window posts are rendered: not at all until the visible ones are painted, also after a jump. */
export function useBuffer(jump?: unknown): number {
  const [ready, setReady] = useState<{ readonly jump: unknown } | undefined>(undefined);
  useEffect(() => {
    const timer = setTimeout(() => setReady({ jump }), 100);
    return () => clearTimeout(timer);
  }, [jump]);
  return ready !== undefined && ready.jump === jump ? scrollBufferPx : 0;
}
