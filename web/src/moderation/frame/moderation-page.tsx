import menu from '@phosphor-icons/core/regular/list.svg?raw';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { t } from '../../i18n/translate.tsx';
import { PageHeader } from '../../layout/index.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { can, type Permission } from '../../session/permissions.ts';
import { sectionGroups } from './sections.ts';
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

/** The frame of a page of moderation: its title, and a menu of the other pages. */
export function ModerationPage({ title, permissions, children, hasBack = false }: ModerationPageProps) {
  return (
    <>
      <PageHeader title={title} hasBack={hasBack} actions={<SectionMenu />} />
      {permissions.length === 0 || can(...permissions) ? (
        children
      ) : (
        <EmptyState title={t('moderation.forbidden')}>
          <p>{t('moderation.forbiddenHint')}</p>
        </EmptyState>
      )}
    </>
  );
}

function SectionMenu() {
  const { path } = useLocation();
  const items: (MenuItem | 'separator')[] = [{ label: t('moderation.overview'), href: '/moderation' }];
  for (const { sections } of sectionGroups()) {
    items.push('separator');
    for (const { path: href, label } of sections)
      items.push({ label, href, ...(path === href && { isChecked: true }) });
  }
  return <Menu label={t('moderation.sections')} button={<Icon svg={menu} />} items={items} />;
}
