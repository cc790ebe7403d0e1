import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import x from '@phosphor-icons/core/regular/x.svg?raw';
import { t } from '../i18n/translate.tsx';
import { Icon } from './icon.tsx';
import { Toasts } from './toasts.tsx';
import { useModal } from './use-layer.ts';
import './dialog.css';

interface DialogProps {
  readonly title: string;
  /** Called when the user closes it: by the button, Escape, the back button or a click beside it. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Buttons at the end. */
  readonly actions?: ComponentChildren;
  readonly size?: 'small' | 'normal' | 'wide';
}

/** A modal dialog on the native element, a layer above the page. It is open while it is rendered. */
export function Dialog({ title, onClose, children, actions, size = 'normal' }: DialogProps) {
  const modal = useModal(onClose);
  const titleId = useId();
  return (
    // Escape closes it by the keyboard.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      {...modal}
      class={`dialog sheet ${size}`}
      aria-labelledby={titleId}
      onClick={(event) => {
        if (event.target === modal.ref.current) onClose();
      }}
    >
      <div class="dialog-box">
        <header>
          <h2 id={titleId}>{title}</h2>
          <button type="button" class="icon-button" aria-label={t('app.close')} onClick={onClose}>
            <Icon svg={x} />
          </button>
        </header>
        <div class="dialog-body">{children}</div>
        {actions !== undefined && <footer>{actions}</footer>}
      </div>
      <Toasts />
    </dialog>
  );
}

/** The button that closes a dialog and changes nothing. */
export function CancelButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <button type="button" class="button quiet" onClick={onClick}>
      {t('app.cancel')}
    </button>
  );
}
