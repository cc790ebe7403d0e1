import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { loadComposer, setShownComposer } from '../composer/index.ts';
import { instance } from '../session/session.ts';
import type { Load } from '../ui/load.ts';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';

/** The composer, always at hand: after a post it is empty again. "New post" leads to it while it is shown. */
export function ColumnComposer() {
  const body = useRef<HTMLDivElement>(null);
  const loaded = useLoaded('composer', loadComposer);
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
      <Content loaded={loaded} />
    </div>
  );
}

function Content({ loaded }: { readonly loaded: Load<Awaited<ReturnType<typeof loadComposer>>> }) {
  const written = useSignal(0);
  const Composer = loaded.value;
  if (Composer === undefined || instance.value === undefined) return <NotLoaded of={loaded} count={1} />;
  return <Composer key={written.value} start={{}} hasFocus={false} onDone={() => (written.value += 1)} />;
}
