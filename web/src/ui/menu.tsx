import type { ComponentChildren } from 'preact';
import { usePopover } from './use-layer.ts';
import './menu.css';

/** An entry of a menu. Undefined entries are left out. */
export interface MenuItem {
  readonly label: string;
  readonly icon?: ComponentChildren;
  /** A link instead of an action. */
  readonly href?: string;
  /** Whether the link opens in a new tab. */
  readonly isExternal?: boolean;
  readonly onSelect?: () => void;
  readonly isDangerous?: boolean;
  /** Of a choice: shown with a mark. */
  readonly isChecked?: boolean;
  /** Explains the entry below its label. */
  readonly hint?: string;
}

interface MenuProps {
  /** The name of the button for screen readers. */
  readonly label: string;
  readonly button: ComponentChildren;
  readonly buttonClass?: string;
  /** A function is called when the menu opens. */
  readonly items: MenuItems | (() => MenuItems);
}

/** The entries of a menu. */
export type MenuItems = readonly (MenuItem | 'separator' | undefined)[];

/** A button that opens a menu, a layer above the page. Arrow keys, Home, End and the first letter move in it. */
export function Menu({ label, button, buttonClass = 'icon-button', items }: MenuProps) {
  const { trigger, panel, isOpen, close } = usePopover('end', (menu) => itemsOf(menu)[0]?.focus());
  return (
    <>
      <button
        {...trigger}
        type="button"
        class={buttonClass}
        aria-label={label}
        aria-haspopup="menu"
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          panel.ref.current?.showPopover();
        }}
      >
        {button}
      </button>
      <div
        {...panel}
        class="menu sheet"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onKeyDown={(event) => moveInMenu(event, panel.ref.current)}
      >
        {(isOpen ? itemsOfMenu(items) : []).map((item, index) =>
          item === undefined ? null : item === 'separator' ? (
            <hr key={index} />
          ) : (
            <Entry key={index} item={item} close={close} />
          ),
        )}
      </div>
    </>
  );
}

const itemsOfMenu = (items: MenuProps['items']): MenuItems => (typeof items === 'function' ? items() : items);

function Entry({ item, close }: { readonly item: MenuItem; readonly close: () => void }) {
  const { label, icon, href, isExternal = false, onSelect, isDangerous = false, isChecked, hint } = item;
  const content = (
    <>
      {icon}
      <span class="menu-label">
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </span>
    </>
  );
  const common = {
    class: isDangerous ? 'menu-item danger' : 'menu-item',
    role: isChecked === undefined ? ('menuitem' as const) : ('menuitemradio' as const),
    tabIndex: -1,
    ...(isChecked !== undefined && { 'aria-checked': isChecked }),
  };
  if (href !== undefined)
    return (
      <a {...common} href={href} {...(isExternal && { target: '_blank', rel: 'noopener' })} onClick={close}>
        {content}
      </a>
    );
  return (
    <button
      {...common}
      type="button"
      onClick={() => {
        close();
        onSelect?.();
      }}
    >
      {content}
    </button>
  );
}

const itemsOf = (menu: HTMLElement): HTMLElement[] => [...menu.querySelectorAll<HTMLElement>('.menu-item')];

function moveInMenu(event: KeyboardEvent, menu: HTMLElement | null): void {
  if (menu === null) return;
  const items = itemsOf(menu);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const target = targetOf(event.key, items, at);
  if (target === undefined) return;
  event.preventDefault();
  target.focus();
}

function targetOf(key: string, items: readonly HTMLElement[], at: number): HTMLElement | undefined {
  switch (key) {
    case 'ArrowDown':
      return items[(at + 1) % items.length];
    case 'ArrowUp':
      return items[(at - 1 + items.length) % items.length];
    case 'Home':
      return items[0];
    case 'End':
      return items.at(-1);
    default: {
      if (key.length !== 1 || key === ' ') return undefined;
      const starts = (item: HTMLElement): boolean => item.innerText.trim().toLowerCase().startsWith(key.toLowerCase());
      return items.slice(at + 1).find(starts) ?? items.find(starts);
    }
  }
}
