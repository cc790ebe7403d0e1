import app from '@phosphor-icons/core/regular/app-window.svg?raw';
import bell from '@phosphor-icons/core/regular/bell.svg?raw';
import block from '@phosphor-icons/core/regular/prohibit.svg?raw';
import book from '@phosphor-icons/core/regular/book-open.svg?raw';
import download from '@phosphor-icons/core/regular/download-simple.svg?raw';
import feather from '@phosphor-icons/core/regular/feather.svg?raw';
import file from '@phosphor-icons/core/regular/file-dashed.svg?raw';
import funnel from '@phosphor-icons/core/regular/funnel.svg?raw';
import gavel from '@phosphor-icons/core/regular/scales.svg?raw';
import hash from '@phosphor-icons/core/regular/hash.svg?raw';
import kanban from '@phosphor-icons/core/regular/kanban.svg?raw';
import lock from '@phosphor-icons/core/regular/lock-simple.svg?raw';
import palette from '@phosphor-icons/core/regular/palette.svg?raw';
import shield from '@phosphor-icons/core/regular/shield-check.svg?raw';
import speaker from '@phosphor-icons/core/regular/speaker-slash.svg?raw';
import trash from '@phosphor-icons/core/regular/trash.svg?raw';
import translate from '@phosphor-icons/core/regular/translate.svg?raw';
import truck from '@phosphor-icons/core/regular/truck.svg?raw';
import people from '@phosphor-icons/core/regular/users-three.svg?raw';
import user from '@phosphor-icons/core/regular/user.svg?raw';
import usersThree from '@phosphor-icons/core/regular/globe-hemisphere-west.svg?raw';
import type { TextKey } from '../i18n/translate.tsx';

/** A page of the preferences, of the client or of the server. */
export interface PreferencePage {
  readonly path: string;
  readonly icon: string;
  readonly title: PageKey;
  readonly hint: PageKey;
  /** The labels of its settings, which the search finds too. */
  readonly settings?: readonly SettingKey[];
}

// Only texts without parameters name a page or a setting.
type PageKey = Exclude<Extract<TextKey, `preferences.${string}`>, 'preferences.noneFound'>;
type SettingKey = Exclude<
  Extract<TextKey, `${'appearance' | 'posting' | 'reading' | 'privacy' | 'security'}Settings.${string}`>,
  `securitySettings.${'actionOf' | 'emailUnconfirmed' | 'hasPasskeys' | 'linkedCount' | 'requiredFrom' | 'sessionCount' | 'totpOn'}`
>;

interface PreferenceGroup {
  readonly title: PageKey;
  readonly pages: readonly PreferencePage[];
}

/** All pages of the preferences, in the order of the list. */
export const preferenceGroups: readonly PreferenceGroup[] = [
  {
    title: 'preferences.youGroup',
    pages: [
      { path: '/preferences/profile', icon: user, title: 'preferences.profile', hint: 'preferences.profileHint' },
      {
        path: '/preferences/privacy',
        icon: lock,
        title: 'preferences.privacy',
        hint: 'preferences.privacyHint',
        settings: [
          'privacySettings.locked',
          'privacySettings.discoverable',
          'privacySettings.indexable',
          'privacySettings.hideCollections',
          'privacySettings.showApplication',
        ],
      },
      { path: '/preferences/groups', icon: people, title: 'preferences.groups', hint: 'preferences.groupsHint' },
      { path: '/preferences/hashtags', icon: hash, title: 'preferences.hashtags', hint: 'preferences.hashtagsHint' },
    ],
  },
  {
    title: 'preferences.clientGroup',
    pages: [
      {
        path: '/preferences/appearance',
        icon: palette,
        title: 'preferences.appearance',
        hint: 'preferences.appearanceHint',
        settings: [
          'appearanceSettings.theme',
          'appearanceSettings.textSize',
          'appearanceSettings.density',
          'appearanceSettings.motion',
        ],
      },
      {
        path: '/preferences/columns',
        icon: kanban,
        title: 'preferences.columns',
        hint: 'preferences.columnsHint',
        settings: ['appearanceSettings.columns'],
      },
      {
        path: '/preferences/language',
        icon: translate,
        title: 'preferences.language',
        hint: 'preferences.languageHint',
      },
      {
        path: '/preferences/notifications',
        icon: bell,
        title: 'preferences.notifications',
        hint: 'preferences.notificationsHint',
      },
    ],
  },
  {
    title: 'preferences.postsGroup',
    pages: [
      {
        path: '/preferences/posting',
        icon: feather,
        title: 'preferences.posting',
        hint: 'preferences.postingHint',
        settings: [
          'postingSettings.visibility',
          'postingSettings.quotes',
          'postingSettings.language',
          'postingSettings.format',
          'postingSettings.sensitive',
          'postingSettings.altText',
          'postingSettings.sendsAtOnce',
          'postingSettings.interactions',
        ],
      },
      {
        path: '/preferences/reading',
        icon: book,
        title: 'preferences.reading',
        hint: 'preferences.readingHint',
        settings: ['readingSettings.media', 'readingSettings.warnings', 'readingSettings.autoplay'],
      },
      { path: '/preferences/filters', icon: funnel, title: 'preferences.filters', hint: 'preferences.filtersHint' },
      { path: '/drafts', icon: file, title: 'preferences.drafts', hint: 'preferences.draftsHint' },
    ],
  },
  {
    title: 'preferences.peopleGroup',
    pages: [
      { path: '/mutes', icon: speaker, title: 'preferences.mutes', hint: 'preferences.mutesHint' },
      { path: '/blocks', icon: block, title: 'preferences.blocks', hint: 'preferences.blocksHint' },
      {
        path: '/domain_blocks',
        icon: usersThree,
        title: 'preferences.domainBlocks',
        hint: 'preferences.domainBlocksHint',
      },
    ],
  },
  {
    title: 'preferences.accountGroup',
    pages: [
      {
        path: '/preferences/security',
        icon: shield,
        title: 'preferences.security',
        hint: 'preferences.securityHint',
        settings: [
          'securitySettings.email',
          'securitySettings.password',
          'securitySettings.linked',
          'securitySettings.totp',
          'securitySettings.passkeys',
          'securitySettings.sessions',
          'securitySettings.invites',
        ],
      },
      { path: '/preferences/apps', icon: app, title: 'preferences.apps', hint: 'preferences.appsHint' },
      { path: '/settings/migration', icon: truck, title: 'preferences.move', hint: 'preferences.moveHint' },
      { path: '/settings/strikes', icon: gavel, title: 'preferences.strikes', hint: 'preferences.strikesHint' },
      { path: '/preferences/data', icon: download, title: 'preferences.data', hint: 'preferences.dataHint' },
      { path: '/settings/delete', icon: trash, title: 'preferences.delete', hint: 'preferences.deleteHint' },
    ],
  },
];

/** Whether a page of the server shows it: the browser leaves the client. */
export const isServerPage = ({ path }: PreferencePage): boolean => path.startsWith('/settings/');
