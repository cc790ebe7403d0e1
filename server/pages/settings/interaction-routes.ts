import { Type } from 'typebox';
import {
  loadDefaultPolicies,
  replaceDefaultPolicies,
  type InteractionPolicyEntity,
} from '../../interactions/policy/index.ts';
import type { App } from '../../platform/app.ts';
import { html } from '../../platform/http/html.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { signedInPageRoute } from '../page-routes.ts';
import { select } from '../render/form-controls.ts';
import { form } from '../render/forms.ts';
import type { Visitor } from '../visitor.ts';
import { saveSettings, settingsPage, type SettingsState } from './settings-page.ts';

const path = '/settings/interactions';
const visibilities = ['public', 'unlisted', 'private'] as const;
type Visibility = (typeof visibilities)[number];
const interactions = ['reply', 'favourite', 'reblog'] as const;
type Interaction = (typeof interactions)[number];
type Rules = Pick<InteractionPolicyEntity['can_reply'], 'automatic_approval' | 'manual_approval'>;

/** The rules that the page offers, as the API has them. Others are kept. */
const presets = {
  everyone: { automatic_approval: ['public'], manual_approval: [] },
  followers: { automatic_approval: ['author', 'followers'], manual_approval: [] },
  followersOrAsk: { automatic_approval: ['author', 'followers'], manual_approval: ['public'] },
  ask: { automatic_approval: ['author'], manual_approval: ['public'] },
  nobody: { automatic_approval: ['author'], manual_approval: [] },
} as const satisfies Record<string, Rules>;
type Preset = keyof typeof presets;
const presetNames = Object.keys(presets) as Preset[];

const choice = Type.Optional(Type.Enum([...presetNames, 'custom']));
type Choices = Partial<Record<`${Visibility}_${Interaction}`, Preset | 'custom'>>;

/** Who may reply to, favourite and boost new posts. */
export const interactionPolicyRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/settings/interactions', {
    summary: 'Show the form to choose who may interact with new posts by default',
    input: Type.Object({ saved: Type.Optional(Type.Boolean()) }),
    handle: ({ visitor, session, input: { saved } }) => policyPage(visitor, session, { isSaved: saved }),
  }),

  signedInPageRoute('POST', '/settings/interactions', {
    summary: 'Change who may interact with new posts by default',
    input: Type.Object({
      public_reply: choice,
      public_favourite: choice,
      public_reblog: choice,
      unlisted_reply: choice,
      unlisted_favourite: choice,
      unlisted_reblog: choice,
      private_reply: choice,
      private_favourite: choice,
      private_reblog: choice,
    }),
    handle: ({ visitor, session, input }) =>
      saveSettings(visitor, path, {
        change: () => changePolicies(visitor.app, session.accountId, input),
        show: (state) => policyPage(visitor, session, state),
      }),
  }),
];

/** Replaces the rules that were chosen. Keeps the others, and those of private mentions. */
async function changePolicies(app: App, accountId: AccountId, choices: Choices): Promise<void> {
  const policies = await loadDefaultPolicies(app, accountId);
  const changed = visibilities.map((visibility) => {
    const rules = interactions.map((interaction): [string, Rules] => {
      const chosen = choices[`${visibility}_${interaction}`] ?? 'custom';
      const current = policies[visibility][`can_${interaction}`];
      return [`can_${interaction}`, chosen === 'custom' ? current : presets[chosen]];
    });
    return [visibility, Object.fromEntries(rules)];
  });
  await replaceDefaultPolicies(app, accountId, { ...policies, ...Object.fromEntries(changed) });
}

/** Returns the preset that equals rules. */
function presetOf({ automatic_approval: automatic, manual_approval: manual }: Rules): Preset | 'custom' {
  const isSame = (a: readonly string[], b: readonly string[]) => a.join() === b.join();
  return (
    presetNames.find(
      (name) => isSame(presets[name].automatic_approval, automatic) && isSame(presets[name].manual_approval, manual),
    ) ?? 'custom'
  );
}

async function policyPage(visitor: Visitor, session: Session, state: SettingsState): Promise<HttpResponse> {
  const { app, t } = visitor;
  const policies = await loadDefaultPolicies(app, session.accountId);
  const titles = {
    public: t('settings.public'),
    unlisted: t('settings.unlisted'),
    private: t('settings.followersOnly'),
  };
  const fields = html`${visibilities.map(
      (visibility) =>
        html`<fieldset>
          <legend>${titles[visibility]}</legend>
          ${interactions.map((interaction) => {
            const selected = presetOf(policies[visibility][`can_${interaction}`]);
            const names = selected === 'custom' ? ([...presetNames, 'custom'] as const) : presetNames;
            return select({
              label: t(`settings.interaction_${interaction}`),
              name: `${visibility}_${interaction}`,
              selected,
              options: names.map((name) => [name, t(`settings.rule_${name}`)]),
            });
          })}
        </fieldset>`,
    )}
    <div class="buttons"><button>${t('settings.save')}</button></div>`;
  return settingsPage(visitor, {
    title: t('settings.interactions'),
    state,
    body: html`<p>${t('settings.interactionsAbout')}</p>
      <section class="card">${form(visitor, path, fields)}</section>`,
  });
}
