import { signal } from '@preact/signals';
import { lazyPage } from '../lazy-page.ts';
import { settings } from '../session/settings.ts';
import { HomePage } from '../timeline/index.ts';

const ColumnsPage = lazyPage(
  () => import('./columns-page.tsx').then((module) => module.ColumnsPage),
  'preferences',
  'discovery',
  'composer',
);

const wideWindow = matchMedia('(width >= 1100px)');
const isWide = signal(wideWindow.matches);
wideWindow.addEventListener('change', ({ matches }) => (isWide.value = matches));

/** The home timeline, or the columns if the user wants them and the window is wide enough. */
export function HomeOrColumns() {
  const { useColumns: wantsColumns } = settings.value.appearance;
  return wantsColumns && isWide.value ? <ColumnsPage /> : <HomePage />;
}

/** The columns; in a narrow window the home timeline. */
export function Deck() {
  return isWide.value ? <ColumnsPage /> : <HomePage />;
}
