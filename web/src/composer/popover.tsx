import type { ComponentChildren } from 'preact';
import { usePopover } from '../ui/use-layer.ts';
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

/** A button that opens a panel beside it: a layer above the page, which Escape or a click elsewhere closes. */
export function Popover({ label, button, buttonClass = 'icon-button', isDisabled = false, children }: PopoverProps) {
  const { trigger, panel, isOpen } = usePopover('start', focusField);
  return (
    <>
      <button
        {...trigger}
        type="button"
        class={buttonClass}
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        disabled={isDisabled}
      >
        {button}
      </button>
      <div {...panel} class="popover sheet" role="dialog" aria-label={label}>
        {isOpen && children()}
      </div>
    </>
  );
}

/** Focuses the chosen or first field of a panel. */
function focusField(panel: HTMLElement): void {
  const field = panel.querySelector<HTMLElement>('input:checked, input, select, button');
  field?.focus({ preventScroll: true });
}

/** Closes the open panels, because something was chosen. */
export function closePopovers(): void {
  for (const panel of document.querySelectorAll<HTMLElement>('.popover:popover-open')) panel.hidePopover();
}
