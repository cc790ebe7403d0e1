import { t } from '../i18n/translate.tsx';
import { me } from '../session/session.ts';
import { showError } from '../ui/toasts.tsx';
import {
  changePush,
  loadPushState,
  pushState,
  turnOffPush,
  turnOnPush,
  type PushAlerts,
  type PushPolicy,
} from './push-subscription.ts';
import { useSingleRun } from '../ui/use-single-run.ts';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import './settings-section.css';

const alertNames = [
  'mention',
  'status',
  'reblog',
  'favourite',
  'follow',
  'follow_request',
  'poll',
  'update',
  'quote',
  'quoted_update',
  'added_to_collection',
  'collection_update',
  'severed_relationships',
  'moderation_warning',
  'admin.sign_up',
  'admin.report',
] as const satisfies readonly (keyof PushAlerts)[];
type AlertName = (typeof alertNames)[number];

const policies = ['all', 'followed', 'follower', 'none'] as const satisfies readonly PushPolicy[];

const defaultAlerts: PushAlerts = Object.fromEntries(alertNames.map((name) => [name, name !== 'favourite']));

const isStaffAlert = (name: AlertName): boolean => name.startsWith('admin.');

/** Turns push notifications of this browser on and off, and chooses which ones it shows. */
export function PushSettings() {
  const loaded = useLoaded('push', loadPushState);
  const state = pushState.value;
  return (
    <section class="settings-section" aria-labelledby="push-title">
      <h2 id="push-title">{t('push.title')}</h2>
      <p class="soft">{t('push.hint')}</p>
      {loaded.error !== undefined && <NotLoaded of={loaded} />}
      {state.kind === 'unsupported' && <p>{t('push.unsupported')}</p>}
      {state.kind === 'blocked' && <p>{t('push.blocked')}</p>}
      {state.kind === 'off' && <TurnOn />}
      {state.kind === 'on' && <Choices alerts={state.subscription.alerts} policy={state.subscription.policy} />}
    </section>
  );
}

function TurnOn() {
  const [turnOn, isBusy] = useSingleRun(async (): Promise<void> => {
    try {
      await turnOnPush(defaultAlerts, 'all');
    } catch (error) {
      showError(error, () => void turnOn());
    }
  });
  return (
    <>
      <p>{t('push.permission')}</p>
      <button type="button" class="button" disabled={isBusy} onClick={() => void turnOn()}>
        {t('push.turnOn')}
      </button>
    </>
  );
}

function Choices({ alerts, policy }: { readonly alerts: PushAlerts; readonly policy: PushPolicy }) {
  const isStaff = BigInt(me.value.role?.permissions ?? '0') > 0n;
  const change = async (nextAlerts: PushAlerts, nextPolicy: PushPolicy): Promise<void> => {
    try {
      await changePush(nextAlerts, nextPolicy);
    } catch (error) {
      showError(error, () => void change(nextAlerts, nextPolicy));
    }
  };
  const turnOff = async (): Promise<void> => {
    try {
      await turnOffPush();
    } catch (error) {
      showError(error, () => void turnOff());
    }
  };
  return (
    <>
      <p role="status">{t('push.isOn')}</p>
      <fieldset class="push-choices">
        <legend>{t('push.alerts')}</legend>
        {alertNames
          .filter((name) => isStaff || !isStaffAlert(name))
          .map((name) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={alerts[name] === true}
                onChange={({ currentTarget }) => void change({ ...alerts, [name]: currentTarget.checked }, policy)}
              />
              <span>{t(`push.alert_${name}`)}</span>
            </label>
          ))}
      </fieldset>
      <fieldset class="push-choices">
        <legend>{t('push.policy')}</legend>
        {policies.map((name) => (
          <label key={name}>
            <input
              type="radio"
              name="push-policy"
              checked={policy === name}
              onChange={() => void change(alerts, name)}
            />
            <span>{t(`push.policy_${name}`)}</span>
          </label>
        ))}
      </fieldset>
      <button type="button" class="button quiet" onClick={() => void turnOff()}>
        {t('push.turnOff')}
      </button>
    </>
  );
}
