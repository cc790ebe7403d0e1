import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { t } from '../i18n/translate.tsx';
import { OutboxNotice } from '../offline/index.ts';
import { BottomBar } from './bottom-bar.tsx';
import { Navigation } from './navigation.tsx';
import { SessionProblem } from './session-problem.tsx';
import './app-layout.css';

interface AppLayoutProps {
  readonly children: ComponentChildren;
  /** What wide windows show beside the page. */
  readonly aside: ComponentChildren;
}

/** The frame of every page: navigation beside the page on wide windows, below it on phones. */
export function AppLayout({ children, aside }: AppLayoutProps) {
  const { path } = useLocation();
  return (
    <div class="app" data-path={path}>
      <a class="skip" href="#content">
        {t('app.skip')}
      </a>
      <Navigation />
      <main id="content" tabIndex={-1}>
        <SessionProblem />
        <OutboxNotice />
        {children}
      </main>
      <aside class="aside" aria-label={t('nav.aside')}>
        {aside}
      </aside>
      <BottomBar />
    </div>
  );
}
