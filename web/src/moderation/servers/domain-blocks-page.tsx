import type { AdminDomainBlock } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { FieldSpec } from '../form/fields.ts';
import { ResourcePage, type Resource } from '../resource/resource-page.tsx';
import { ImportButton } from './import-domains.tsx';
import { domainField } from './domain-field.ts';

const severities = () => [
  { value: 'silence', label: t('severity.silence') },
  { value: 'suspend', label: t('severity.suspend') },
  { value: 'noop', label: t('severity.noop') },
];

/** Servers that are limited or blocked. */
export function DomainBlocksPage() {
  const details: readonly FieldSpec[] = [
    {
      name: 'severity',
      label: t('servers.severity'),
      kind: 'choice',
      options: severities(),
      hint: t('servers.severityHint'),
    },
    { name: 'reject_media', label: t('servers.rejectMedia'), kind: 'checkbox' },
    { name: 'reject_reports', label: t('servers.rejectReports'), kind: 'checkbox' },
    { name: 'obfuscate', label: t('servers.obfuscate'), kind: 'checkbox' },
    { name: 'public_comment', label: t('servers.publicComment'), kind: 'text' },
    { name: 'private_comment', label: t('servers.privateComment'), kind: 'text' },
  ];
  const resource: Resource<AdminDomainBlock> = {
    title: t('sections.domainBlocks'),
    permissions: ['manage_federation'],
    path: '/api/v1/admin/domain_blocks',
    intro: t('servers.blocksIntro'),
    empty: t('servers.noBlocks'),
    addLabel: t('servers.addBlock'),
    fields: [domainField(), ...details],
    editFields: details,
    toValues: (block) => ({
      severity: block.severity,
      reject_media: block.reject_media,
      reject_reports: block.reject_reports,
      obfuscate: block.obfuscate,
      public_comment: block.public_comment ?? '',
      private_comment: block.private_comment ?? '',
    }),
    nameOf: (block) => block.domain,
    render: (block) => (
      <>
        <p class="item-title">
          {block.domain} <span class="tag warn">{t(`severity.${block.severity}`)}</span>{' '}
          {block.reject_media && <span class="tag">{t('servers.rejectMedia')}</span>}{' '}
          {block.reject_reports && <span class="tag">{t('servers.rejectReports')}</span>}
        </p>
        <p class="small soft" dir="auto">
          {[block.public_comment, block.private_comment].filter(Boolean).map((comment) => `${comment} · `)}
          <RelativeTime time={block.created_at} />
        </p>
      </>
    ),
    deletion: {
      label: t('servers.removeBlock'),
      text: (block) => t('servers.removeBlockText', { domain: block.domain }),
    },
    renderExtra: (list) => <ImportButton kind="domain_blocks" onDone={() => void list.load()} />,
  };
  return <ResourcePage resource={resource} />;
}
