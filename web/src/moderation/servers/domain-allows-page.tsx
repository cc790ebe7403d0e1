import type { AdminDomainAllow } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ResourcePage, type Resource } from '../resource/resource-page.tsx';
import { ImportButton } from './import-domains.tsx';
import { domainField } from './domain-field.ts';

/** Servers that may federate while federation is limited. */
export function DomainAllowsPage() {
  const resource: Resource<AdminDomainAllow> = {
    title: t('sections.domainAllows'),
    permissions: ['manage_federation'],
    path: '/api/v1/admin/domain_allows',
    intro: t('servers.allowsIntro'),
    empty: t('servers.noAllows'),
    addLabel: t('servers.addAllow'),
    fields: [domainField()],
    nameOf: (allow) => allow.domain,
    render: (allow) => (
      <p class="item-title">
        {allow.domain}{' '}
        <span class="small soft">
          <RelativeTime time={allow.created_at} />
        </span>
      </p>
    ),
    deletion: {
      label: t('servers.removeAllow'),
      text: (allow) => t('servers.removeAllowText', { domain: allow.domain }),
    },
    renderExtra: (list) => <ImportButton kind="domain_allows" onDone={() => void list.load()} />,
  };
  return <ResourcePage resource={resource} />;
}
