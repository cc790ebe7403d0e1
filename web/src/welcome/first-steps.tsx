import download from '@phosphor-icons/core/regular/download-simple.svg?raw';
import door from '@phosphor-icons/core/regular/door-open.svg?raw';
import envelope from '@phosphor-icons/core/regular/envelope-simple-open.svg?raw';
import image from '@phosphor-icons/core/regular/image.svg?raw';
import network from '@phosphor-icons/core/regular/share-network.svg?raw';
import shield from '@phosphor-icons/core/regular/shield-check.svg?raw';
import storefront from '@phosphor-icons/core/regular/storefront.svg?raw';
import user from '@phosphor-icons/core/regular/user.svg?raw';
import { t } from '../i18n/translate.tsx';
import { Suggestions } from '../people/index.ts';
import { SearchBox } from '../search/index.ts';
import { can } from '../session/permissions.ts';
import { Icon } from '../ui/icon.tsx';
import { EmptyState } from '../ui/states.tsx';
import '../ui/rows.css';
import './first-steps.css';

/** What someone who follows nobody can do, in place of an empty home: find people, bring them along, set up the server. */
export function FirstSteps() {
  return (
    <div class="first-steps">
      <EmptyState title={t('timeline.homeEmpty')}>
        <p>{t('timeline.homeEmptyHint')}</p>
      </EmptyState>
      <div class="search-field">
        <SearchBox placeholder={t('welcome.addressExample')} />
        <p class="soft small">{t('welcome.addressHint')}</p>
      </div>
      <Steps
        title={t('welcome.steps')}
        steps={[
          {
            path: '/preferences/data',
            icon: download,
            title: t('welcome.import'),
            hint: t('welcome.importHint'),
          },
          { path: '/preferences/profile', icon: user, title: t('welcome.profile'), hint: t('welcome.profileHint') },
          ...(can('invite_users')
            ? [
                {
                  path: '/settings/invites',
                  icon: envelope,
                  title: t('welcome.invite'),
                  hint: t('welcome.inviteHint'),
                },
              ]
            : []),
        ]}
      />
      <Steps title={t('welcome.serverSteps')} steps={serverSteps()} />
      <h3>{t('people.suggestions')}</h3>
      <Suggestions />
    </div>
  );
}

interface Step {
  readonly path: string;
  readonly icon: string;
  readonly title: string;
  readonly hint: string;
}

/** Returns what the viewer may do for a new server. */
function serverSteps(): Step[] {
  const settings: Step[] = can('manage_settings')
    ? [
        {
          path: '/moderation/settings',
          icon: storefront,
          title: t('welcome.name'),
          hint: t('welcome.nameHint'),
        },
        {
          path: '/moderation/settings?field=registrations',
          icon: door,
          title: t('welcome.registrations'),
          hint: t('welcome.registrationsHint'),
        },
        { path: '/moderation/images', icon: image, title: t('welcome.picture'), hint: t('welcome.pictureHint') },
      ]
    : [];
  const federation: Step[] = can('manage_federation')
    ? [
        { path: '/moderation/relays', icon: network, title: t('welcome.relay'), hint: t('welcome.relayHint') },
        {
          path: '/moderation/domain-lists',
          icon: shield,
          title: t('welcome.blockLists'),
          hint: t('welcome.blockListsHint'),
        },
      ]
    : [];
  return [...settings, ...federation];
}

function Steps({ title, steps }: { readonly title: string; readonly steps: readonly Step[] }) {
  if (steps.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="rows" aria-label={title}>
        {steps.map(({ path, icon, title: label, hint }) => (
          <li key={path}>
            <a class="row-link" href={path}>
              <Icon svg={icon} />
              <span class="step-text">
                <strong>{label}</strong>
                <span class="soft small">{hint}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
