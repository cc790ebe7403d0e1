import { useLocation } from 'preact-iso';
import './tabs.css';

/** A page of several that share a header. */
export interface Tab {
  readonly path: string;
  readonly label: string;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** The path of the current tab, if that is not the path of the page. */
  readonly current?: string;
}

/** Links to pages that belong together; the current one is marked. */
export function Tabs({ label, tabs, current }: TabsProps) {
  const { path } = useLocation();
  const shown = current ?? path;
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.path} href={tab.path} {...(tab.path === shown && { 'aria-current': 'page' })}>
          {tab.label}
        </a>
      ))}
    </nav>
  );
}
