import { signal } from '@preact/signals';
import { lazyPage } from '../lazy-page.ts';
import { settings } from '../session/settings.ts';
import { HomePage } from '../timeline/index.ts';
import { tabsOf } from './columns.ts';
import { HomeTabs } from './home-tabs.tsx';

const ColumnsPage = lazyPage(
  () => import('./columns-page.tsx').then((module) => module.ColumnsPage),
  'preferences',
  'discovery',
  'composer',
);

const wideWindow = matchMedia('(width >= 1100px)');
const isWide = signal(wideWindow.matches);
wideWindow.addEventListener('change', ({ matches }) => (isWide.value = matches));

/** Home: the columns if the user wants them and the window is wide enough, else the tabs. */
export function HomeOrColumns() {
  const { useColumns: wantsColumns } = settings.value.appearance;
  return wantsColumns && isWide.value ? <ColumnsPage /> : <Home />;
}

/** The columns; in a narrow window the tabs. */
export function Deck() {
  return isWide.value ? <ColumnsPage /> : <Home />;
}

/** The tabs of home; the home timeline alone if the user has no other tab. */
export function Home() {
  const tabs = tabsOf(settings.value.columns);
  return tabs.length > 1 ? <HomeTabs tabs={tabs} /> : <HomePage />;
}
