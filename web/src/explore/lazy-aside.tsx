import { signal } from '@preact/signals';
import { lazyPart } from '../lazy-page.ts';

const Aside = lazyPart(() => import('./aside.tsx').then((module) => module.Aside), 'discovery', 'people');
const wide = globalThis.matchMedia('(width >= 76rem)');
const isWide = signal(wide.matches);
wide.addEventListener('change', () => (isWide.value = wide.matches));

/** The aside, loaded once the window is wide enough to show it. */
export function LazyAside() {
  return isWide.value ? <Aside /> : null;
}
