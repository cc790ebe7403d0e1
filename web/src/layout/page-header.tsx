import arrowLeft from '@phosphor-icons/core/regular/arrow-left.svg?raw';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { goBack } from '../navigate.ts';
import { Icon } from '../ui/icon.tsx';
import { setPageTitle } from '../ui/window-title.ts';
import './page-header.css';

interface PageHeaderProps {
  readonly title: string;
  /** Buttons at the end. */
  readonly actions?: ComponentChildren;
  /** Whether a button leads back to the page before. */
  readonly hasBack?: boolean;
}

/** The bar on top of a page. It sets the title of the window. */
export function PageHeader({ title, actions, hasBack = false }: PageHeaderProps) {
  useEffect(() => {
    setPageTitle(title);
  }, [title]);
  return (
    <header class="page-header">
      {hasBack && (
        <button type="button" class="icon-button back" aria-label={t('app.back')} onClick={goBack}>
          <Icon svg={arrowLeft} isDirectional />
        </button>
      )}
      <h1 class="one-line">
        <bdi>{title}</bdi>
      </h1>
      {actions}
    </header>
  );
}
