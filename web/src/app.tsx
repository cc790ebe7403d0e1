import { ErrorBoundary, LocationProvider, Router } from 'preact-iso';
import { LazyAside } from './explore/index.ts';
import { AppLayout } from './layout/index.ts';
import { clientPaths, watchLinks } from './navigate.ts';
import { startPeeks } from './peek/index.ts';
import { routes } from './routes.tsx';
import { Shortcuts } from './shortcuts/index.ts';
import { startLayers } from './ui/layers.ts';
import { OpenDialogs } from './ui/open-dialog.tsx';
import { Toasts } from './ui/toasts.tsx';
import { startUndo } from './ui/undo.ts';

// Before the router listens.
startLayers();
watchLinks();
startUndo();
startPeeks();

/** The client. */
export function App() {
  return (
    <LocationProvider scope={clientPaths}>
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
