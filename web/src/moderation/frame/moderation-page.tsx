import menu from '@phosphor-icons/core/regular/list.svg?raw';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { t } from '../../i18n/translate.tsx';
import { PageHeader } from '../../layout/index.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { can, type Permission } from '../../session/permissions.ts';
import { refreshStaffCounts, staffCounts } from '../../unread/index.ts';
import { SectionRail } from './section-rail.tsx';
import { sectionGroups, type Section } from './sections.ts';
import './moderation-page.css';
import '../list/item-list.css';
import './parts.css';

interface ModerationPageProps {
  readonly title: string;
  /** One of these permissions is needed. */
  readonly permissions: readonly Permission[];
  readonly children: ComponentChildren;
  readonly hasBack?: boolean;
}

/** The frame of a page of moderation: its title, and the other pages beside it, or in a menu on narrow windows. */
export function ModerationPage({ title, permissions, children, hasBack = false }: ModerationPageProps) {
  useEffect(() => void refreshStaffCounts(), []);
  return (
    <div class="desk">
      <SectionRail />
      <div class="desk-page">
        <PageHeader title={title} hasBack={hasBack} actions={<SectionMenu />} />
        {permissions.length === 0 || can(...permissions) ? (
          children
        ) : (
          <EmptyState title={t('moderation.forbidden')}>
            <p>{t('moderation.forbiddenHint')}</p>
          </EmptyState>
        )}
      </div>
    </div>
  );
}

function SectionMenu() {
  const { path } = useLocation();
  const items = (): readonly (MenuItem | 'separator')[] => [
    { label: t('moderation.overview'), href: '/moderation' },
    ...sectionGroups().flatMap(({ sections }) => [
      'separator' as const,
      ...sections.map((section) => ({
        label: section.label,
        href: section.path,
        ...(path === section.path && { isChecked: true }),
        ...hintOf(section),
      })),
    ]),
  ];
  return (
    <div class="section-menu">
      <Menu label={t('moderation.sections')} button={<Icon svg={menu} />} items={items} />
    </div>
  );
}

/** Returns how much waits in a section, as the hint of its entry. */
function hintOf({ waiting }: Section): { readonly hint?: string } {
  const count = waiting === undefined ? 0 : (staffCounts.value?.[waiting.count] ?? 0);
  return count === 0 || waiting === undefined
    ? {}
    : { hint: t('desk.waiting', { label: waiting.label, number: count }) };
}
