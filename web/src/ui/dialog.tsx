import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import x from '@phosphor-icons/core/regular/x.svg?raw';
import { t } from '../i18n/translate.tsx';
import { Icon } from './icon.tsx';
import './dialog.css';

interface DialogProps {
  readonly title: string;
  /** Called when the user closes it: by the button, Escape or a click beside it. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Buttons at the end. */
  readonly actions?: ComponentChildren;
  readonly size?: 'small' | 'normal' | 'wide';
}

/** A modal dialog on the native element: it is open while it is rendered, and focus returns to where it was before. */
export function Dialog({ title, onClose, children, actions, size = 'normal' }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const previous = document.activeElement;
    element.current?.showModal();
    return () => {
      if (previous instanceof HTMLElement) previous.focus();
    };
  }, []);
  return (
    // Escape closes it by the keyboard.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={element}
      class={`dialog ${size}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose();
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
    </dialog>
  );
}
