import type { AdminIpBlock } from '../../api/entities.ts';
import { locale, t } from '../../i18n/translate.tsx';
import { expiryField } from '../form/expiry-field.ts';
import type { FieldSpec } from '../form/fields.ts';
import { ResourcePage, type Resource } from '../resource/resource-page.tsx';

/** Internet addresses that are refused. */
export function IpBlocksPage() {
  const fields: readonly FieldSpec[] = [
    { name: 'ip', label: t('servers.ip'), kind: 'text', isRequired: true, hint: t('servers.ipHint') },
    {
      name: 'severity',
      label: t('servers.severity'),
      kind: 'choice',
      options: [
        { value: 'sign_up_requires_approval', label: t('severity.sign_up_requires_approval') },
        { value: 'sign_up_block', label: t('severity.sign_up_block') },
        { value: 'no_access', label: t('severity.no_access') },
      ],
    },
    expiryField(),
    { name: 'comment', label: t('servers.comment'), kind: 'text' },
  ];
  const resource: Resource<AdminIpBlock> = {
    title: t('sections.ipBlocks'),
    permissions: ['manage_blocks'],
    path: '/api/v1/admin/ip_blocks',
    intro: t('servers.ipIntro'),
    empty: t('servers.noIps'),
    addLabel: t('servers.addIp'),
    fields,
    editFields: fields.filter(({ name }) => name !== 'expires_in'),
    toValues: ({ ip, severity, comment }) => ({ ip, severity, comment }),
    nameOf: (block) => block.ip,
    render: (block) => (
      <>
        <p class="item-title">
          {block.ip} <span class="tag warn">{t(`severity.${block.severity}`)}</span>
        </p>
        <p class="small soft">
          {block.comment}{' '}
          {block.expires_at === null ? t('servers.never') : new Date(block.expires_at).toLocaleDateString(locale.value)}
        </p>
      </>
    ),
    deletion: { label: t('servers.removeBlock'), text: (block) => t('servers.removeIpText', { name: block.ip }) },
  };
  return <ResourcePage resource={resource} />;
}
