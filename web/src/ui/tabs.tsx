import { useLocation } from 'preact-iso';
import './tabs.css';

/** A page of several that share a header. */
export interface Tab {
  readonly path: string;
  readonly label: string;
}

/** Links to pages that belong together; the current one is marked. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const { path } = useLocation();
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.path} href={tab.path} {...(tab.path === path && { 'aria-current': 'page' })}>
          {tab.label}
        </a>
      ))}
    </nav>
  );
}
