import { ErrorBoundary, LocationProvider, Router } from 'preact-iso';
import { LazyAside } from './explore/lazy-aside.tsx';
import { AppLayout } from './layout/app-layout.tsx';
import { ignoreRepeatedClicks } from './navigate.ts';
import { routes } from './routes.tsx';
import { Shortcuts } from './shortcuts/shortcuts.tsx';
import { OpenDialogs } from './ui/open-dialog.tsx';
import { Toasts } from './ui/toasts.tsx';

// Forms and pages of the server are left to the browser.
const serverPaths =
  /^\/(?!(?:auth|oauth|settings|setup|about|privacy-policy|terms-of-service|api|media|web|invite|share|intent|health)(?:[/?#]|$))/;

// Before the router listens.
ignoreRepeatedClicks();

/** The client. */
export function App() {
  return (
    <LocationProvider scope={serverPaths}>
      <ErrorBoundary>
        <AppLayout aside={<LazyAside />}>
          <Router onRouteChange={focusPage}>{routes}</Router>
        </AppLayout>
        <Shortcuts />
        <OpenDialogs />
        <Toasts />
      </ErrorBoundary>
    </LocationProvider>
  );
}

/** Moves the focus to the new page, so that screen readers and the keyboard continue there. */
function focusPage(): void {
  document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true });
}
