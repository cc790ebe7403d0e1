import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { addLayer } from './layers.ts';
import { followSwipes } from './swipe-away.ts';

/** Makes an element a layer above the page while it is open: the back button, and a swipe on phones, call `close`. */
function useLayer(element: RefObject<HTMLElement | null>, isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useLayoutEffect(() => (isOpen ? addLayer(() => latest.current()) : undefined), [isOpen]);
  useLayoutEffect(() => {
    if (isOpen && element.current?.classList.contains('sheet') === true)
      return followSwipes(element.current, () => latest.current());
    return undefined;
  }, [isOpen]);
}

interface Modal {
  readonly ref: RefObject<HTMLDialogElement | null>;
  readonly onCancel: (event: Event) => void;
  readonly onClose: () => void;
}

/**
 * Returns the properties of a native dialog that is modal while it is rendered. `onClose` is called for Escape and the back
 * button. The focus returns to where it was before.
 */
export function useModal(onClose: () => void): Modal {
  const ref = useRef<HTMLDialogElement>(null);
  useLayer(ref, true, onClose);
  useEffect(() => {
    const previous = document.activeElement;
    ref.current?.showModal();
    return () => {
      if (previous instanceof HTMLElement) previous.focus();
    };
  }, []);
  return {
    ref,
    onCancel: (event) => {
      event.preventDefault();
      onClose();
    },
    // Browsers let a dialog refuse only once.
    onClose: () => {
      ref.current?.showModal();
      onClose();
    },
  };
}

interface PopoverLayer {
  /** Of the button that opens it. */
  readonly trigger: { readonly ref: RefObject<HTMLButtonElement | null>; readonly popovertarget: string };
  readonly panel: {
    readonly ref: RefObject<HTMLDivElement | null>;
    readonly id: string;
    readonly popover: 'auto';
    readonly onToggle: (event: Pick<ToggleEvent, 'newState'>) => void;
  };
  readonly isOpen: boolean;
  readonly close: () => void;
}

/** Returns the properties of a native popover and of its button. It opens beside the button; `align`: at which end. */
export function usePopover(align: 'start' | 'end', onOpen: (panel: HTMLElement) => void): PopoverLayer {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const isOpen = useSignal(false);
  const close = (): void => {
    panel.current?.hidePopover();
    isOpen.value = false;
  };
  useLayer(panel, isOpen.value, close);
  useLayoutEffect(() => {
    if (!isOpen.value || trigger.current === null || panel.current === null) return;
    place(panel.current, trigger.current.getBoundingClientRect(), align);
    onOpen(panel.current);
  }, [isOpen.value]);
  return {
    trigger: { ref: trigger, popovertarget: id },
    panel: { ref: panel, id, popover: 'auto', onToggle: ({ newState }) => (isOpen.value = newState === 'open') },
    isOpen: isOpen.value,
    close,
  };
}

interface Hint {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly popover: 'manual';
}

/**
 * Returns the properties of a native popover beside something on which the pointer rests. It is no layer, because the reader did
 * not ask for it (docs/decisions/0141).
 */
export function useHint(anchor: HTMLElement): Hint {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current: panel } = ref;
    if (panel === null) return undefined;
    panel.showPopover();
    // Also when it grows.
    const observer = new ResizeObserver(() => place(panel, anchor.getBoundingClientRect(), 'start'));
    observer.observe(panel);
    return () => observer.disconnect();
  }, []);
  return { ref, popover: 'manual' };
}

/** Places a panel at its button or link, inside the window. */
function place(panel: HTMLElement, anchor: DOMRect, align: 'start' | 'end'): void {
  const box = panel.getBoundingClientRect();
  const margin = 8;
  const isBelow = anchor.bottom + box.height + margin < innerHeight || anchor.top < box.height;
  const top = isBelow ? anchor.bottom + 4 : anchor.top - box.height - 4;
  // Without the scrollbar.
  const { width } = document.body.getBoundingClientRect();
  const isLeft = (align === 'start') !== (document.documentElement.dir === 'rtl');
  const left = isLeft ? anchor.left : anchor.right - box.width;
  panel.style.left = `${Math.max(margin, Math.min(left, width - box.width - margin))}px`;
  panel.style.top = `${Math.max(margin, Math.min(top, innerHeight - box.height - margin))}px`;
}
