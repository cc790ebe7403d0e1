import { useSignal } from '@preact/signals';
import type { TargetedDragEvent } from 'preact';

type Handlers = Readonly<
  Record<'onDragOver' | 'onDragLeave' | 'onDrop', (event: TargetedDragEvent<HTMLFormElement>) => void>
>;

/**
 * Returns whether files are dragged over the form, and its handlers. `onFiles` is called with the files that are dropped, and
 * the key of the post on which they are.
 */
export function useFileDrop(
  onFiles: (key: string | undefined, files: readonly File[]) => void,
): readonly [isTarget: boolean, handlers: Handlers] {
  const isTarget = useSignal(false);
  return [
    isTarget.value,
    {
      onDragOver(event) {
        if (event.dataTransfer?.types.includes('Files') !== true) return;
        event.preventDefault();
        isTarget.value = true;
      },
      onDragLeave({ currentTarget, relatedTarget }) {
        if (!currentTarget.contains(relatedTarget as Node | null)) isTarget.value = false;
      },
      onDrop(event) {
        isTarget.value = false;
        const files = [...(event.dataTransfer?.files ?? [])];
        if (files.length === 0) return;
        event.preventDefault();
        onFiles((event.target as Element).closest<HTMLElement>('[data-post]')?.dataset['post'], files);
      },
    },
  ];
}
