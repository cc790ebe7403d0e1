import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { loadComposer, setShownComposer } from '../composer/index.ts';
import { instance } from '../session/session.ts';
import { ErrorState, LoadingPosts } from '../ui/states.tsx';

type Loaded = { readonly Composer: Awaited<ReturnType<typeof loadComposer>> } | { readonly error: unknown };

/** The composer, always at hand: after a post it is empty again. "New post" leads to it while it is shown. */
export function ColumnComposer() {
  const body = useRef<HTMLDivElement>(null);
  const loaded = useSignal<Loaded | undefined>(undefined);
  const load = (): void => {
    loaded.value = undefined;
    loadComposer().then(
      (Composer) => (loaded.value = { Composer }),
      (error: unknown) => (loaded.value = { error }),
    );
  };
  useEffect(load, []);
  useEffect(
    () =>
      setShownComposer(() => {
        const field = body.current?.querySelector('textarea');
        field?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        field?.focus();
        return field != null;
      }),
    [],
  );
  return (
    <div ref={body} class="column-body column-composer">
      <Content loaded={loaded.value} onRetry={load} />
    </div>
  );
}

function Content({ loaded, onRetry }: { readonly loaded: Loaded | undefined; readonly onRetry: () => void }) {
  const written = useSignal(0);
  if (loaded === undefined || instance.value === undefined) return <LoadingPosts count={1} />;
  if ('error' in loaded) return <ErrorState error={loaded.error} onRetry={onRetry} />;
  return <loaded.Composer key={written.value} start={{}} hasFocus={false} onDone={() => (written.value += 1)} />;
}
