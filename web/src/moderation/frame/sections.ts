import { t } from '../../i18n/translate.tsx';
import { can } from '../permissions.ts';

/** A page of moderation. */
export interface Section {
  readonly path: string;
  readonly label: string;
  /** What it is for. */
  readonly hint: string;
}

/** Pages of moderation that belong together. */
export interface SectionGroup {
  readonly label: string;
  readonly sections: readonly Section[];
}

const section = (name: string, label: string, hint: string): Section => ({ path: `/moderation/${name}`, label, hint });

/** Returns the pages that the role of the signed-in account may use. */
export function sectionGroups(): readonly SectionGroup[] {
  const reports = can('manage_reports');
  const users = can('manage_users');
  const groups = [
    {
      label: t('moderation.groupPeople'),
      sections: [reports && section('reports', t('sections.reports'), t('sections.reportsHint'))],
    },
  ];
  void users;
  return groups
    .map(({ label, sections }) => ({ label, sections: sections.filter((one) => one !== false) }))
    .filter(({ sections }) => sections.length > 0);
}
