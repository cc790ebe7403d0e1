import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import './popover.css';

interface PopoverProps {
  /** The name of the button and of what it opens. */
  readonly label: string;
  readonly button: ComponentChildren;
  readonly buttonClass?: string;
  readonly isDisabled?: boolean;
  /** Rendered while it is open. */
  readonly children: () => ComponentChildren;
}

/** A button that opens a panel beside it: a native popover, which Escape or a click elsewhere closes. */
export function Popover({ label, button, buttonClass = 'icon-button', isDisabled = false, children }: PopoverProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  return (
    <>
      <button
        ref={trigger}
        type="button"
        class={buttonClass}
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        disabled={isDisabled}
        popovertarget={id}
      >
        {button}
      </button>
      <div
        ref={panel}
        id={id}
        class="popover"
        role="dialog"
        aria-label={label}
        popover="auto"
        onToggle={(event) => {
          setOpen(event.newState === 'open');
          if (event.newState === 'open') requestAnimationFrame(() => placePopover(trigger.current, panel.current));
        }}
      >
        {isOpen && children()}
      </div>
    </>
  );
}

/** Places the panel at its button, inside the window, and focuses its chosen or first field. */
function placePopover(trigger: HTMLElement | null, panel: HTMLElement | null): void {
  if (trigger === null || panel === null) return;
  const anchor = trigger.getBoundingClientRect();
  const box = panel.getBoundingClientRect();
  const margin = 8;
  const isBelow = anchor.bottom + box.height + margin < innerHeight || anchor.top < box.height;
  const top = isBelow ? anchor.bottom + 4 : anchor.top - box.height - 4;
  // Without the scrollbar.
  const { width } = document.body.getBoundingClientRect();
  const start = document.documentElement.dir === 'rtl' ? anchor.right - box.width : anchor.left;
  panel.style.left = `${Math.max(margin, Math.min(start, width - box.width - margin))}px`;
  panel.style.top = `${Math.max(margin, Math.min(top, innerHeight - box.height - margin))}px`;
  const field = panel.querySelector<HTMLElement>('input:checked, input, select, button');
  field?.focus({ preventScroll: true });
}

/** Closes the open panels, because something was chosen. */
export function closePopovers(): void {
  for (const panel of document.querySelectorAll<HTMLElement>('.popover:popover-open')) panel.hidePopover();
}
