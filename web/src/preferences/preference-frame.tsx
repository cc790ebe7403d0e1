import type { ComponentChildren } from 'preact';
import { PageHeader } from '../layout/index.ts';
import { PreferenceList } from './preference-list.tsx';
import './preferences.css';

interface FrameProps {
  readonly title: string;
  /** One sentence about the page. */
  readonly intro?: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page of the preferences: beside the list on wide windows, alone on phones. */
export function PreferenceFrame({ title, intro, actions, children }: FrameProps) {
  return (
    <div class="preferences">
      <div class="preferences-aside">
        <PreferenceList />
      </div>
      <div class="preferences-page">
        <PageHeader title={title} hasBack actions={actions} />
        <div class="preferences-body">
          {intro !== undefined && <p class="soft preferences-intro">{intro}</p>}
          {children}
        </div>
      </div>
    </div>
  );
}
