import type { AdminUsernameBlock } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import type { FieldSpec } from '../form/fields.ts';
import { ResourcePage, type Resource } from '../resource/resource-page.tsx';

/** Usernames that nobody may choose. */
export function UsernamesPage() {
  const fields: readonly FieldSpec[] = [
    { name: 'username', label: t('servers.username'), kind: 'text', isRequired: true, maxLength: 30 },
    {
      name: 'comparison',
      label: t('servers.comparison'),
      kind: 'choice',
      options: [
        { value: 'equals', label: t('servers.equals') },
        { value: 'contains', label: t('servers.contains') },
      ],
    },
    { name: 'allow_with_approval', label: t('servers.allowWithApproval'), kind: 'checkbox' },
  ];
  const resource: Resource<AdminUsernameBlock> = {
    title: t('sections.usernames'),
    permissions: ['manage_blocks'],
    path: '/api/v1/fieldfare/admin/username_blocks',
    intro: t('servers.usernamesIntro'),
    empty: t('servers.noUsernames'),
    addLabel: t('servers.addUsername'),
    fields,
    editFields: fields,
    toValues: ({ username, comparison, allow_with_approval }) => ({ username, comparison, allow_with_approval }),
    nameOf: (block) => block.username,
    render: (block) => (
      <>
        <p class="item-title">
          {block.username} {block.allow_with_approval && <span class="tag">{t('servers.allowWithApproval')}</span>}
        </p>
        <p class="small soft">{t(`servers.${block.comparison}`)}</p>
      </>
    ),
    deletion: {
      label: t('servers.removeBlock'),
      text: (block) => t('servers.removeEmailText', { name: block.username }),
    },
  };
  return <ResourcePage resource={resource} />;
}
