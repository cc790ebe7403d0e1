import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { setShownComposer } from '../composer/open-composer.tsx';
import { Composer } from '../composer/composer.tsx';
import { instance } from '../session/session.ts';
import { LoadingPosts } from '../ui/states.tsx';

/** The composer, always at hand: after a post it is empty again. "New post" leads to it while it is shown. */
export function ColumnComposer() {
  const body = useRef<HTMLDivElement>(null);
  const written = useSignal(0);
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
      {instance.value === undefined ? (
        <LoadingPosts count={1} />
      ) : (
        <Composer key={written.value} start={{}} hasFocus={false} onDone={() => (written.value += 1)} />
      )}
    </div>
  );
}
