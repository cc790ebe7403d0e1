import type { AccountSecurity, Session } from '../api/entities.ts';
import { locale, t } from '../i18n/translate.tsx';
import { Section } from './controls.tsx';
import { Loaded } from './loaded.tsx';
import { PreferenceFrame } from './preference-frame.tsx';

/** How the account is protected. The pages of the server change it, where the password is asked for. */
export function SecurityPage() {
  return (
    <PreferenceFrame title={t('preferences.security')} intro={t('securitySettings.intro')}>
      <Loaded<AccountSecurity> path="/api/v1/fieldfare/account_security">
        {(security) => <Protection security={security} />}
      </Loaded>
    </PreferenceFrame>
  );
}

function Protection({ security }: { readonly security: AccountSecurity }) {
  const {
    email,
    unconfirmed_email: next,
    has_totp: hasTotp,
    passkeys_count: passkeys,
    may_invite: mayInvite,
  } = security;
  return (
    <>
      <Section title={t('securitySettings.signIn')}>
        <Row
          title={t('securitySettings.email')}
          state={next === null ? email : t('securitySettings.emailUnconfirmed', { email: next })}
          href="/auth/edit"
          action={t('securitySettings.change')}
        />
        {security.has_password && (
          <Row
            title={t('securitySettings.password')}
            state={t('securitySettings.passwordHint')}
            href="/auth/edit"
            action={t('securitySettings.change')}
          />
        )}
        {security.has_sign_in_providers && (
          <Row
            title={t('securitySettings.linked')}
            state={t('securitySettings.linkedCount', { count: security.linked_sign_ins_count })}
            href="/settings/linked_sign_ins"
            action={t('securitySettings.manage')}
          />
        )}
      </Section>
      <Section title={t('securitySettings.factors')} hint={requirementOf(security)}>
        <Row
          title={t('securitySettings.totp')}
          state={
            hasTotp
              ? t('securitySettings.totpOn', { count: security.recovery_codes_count })
              : t('securitySettings.totpOff')
          }
          href="/settings/two_factor"
          action={hasTotp ? t('securitySettings.manage') : t('securitySettings.setUp')}
        />
        <Row
          title={t('securitySettings.passkeys')}
          state={
            passkeys === 0 ? t('securitySettings.noPasskeys') : t('securitySettings.hasPasskeys', { count: passkeys })
          }
          href="/settings/passkeys"
          action={passkeys === 0 ? t('securitySettings.setUp') : t('securitySettings.manage')}
        />
      </Section>
      <Section title={t('securitySettings.access')}>
        <Loaded<readonly Session[]> path="/api/v1/fieldfare/sessions">
          {(sessions) => (
            <Row
              title={t('securitySettings.sessions')}
              state={t('securitySettings.sessionCount', { count: sessions.length })}
              href="/settings/sessions"
              action={t('securitySettings.manage')}
            />
          )}
        </Loaded>
        <Row
          title={t('preferences.apps')}
          state={t('preferences.appsHint')}
          href="/preferences/apps"
          action={t('securitySettings.manage')}
        />
        {mayInvite && (
          <Row
            title={t('securitySettings.invites')}
            state={t('securitySettings.invitesHint')}
            href="/settings/invites"
            action={t('securitySettings.manage')}
          />
        )}
      </Section>
    </>
  );
}

/** Returns that the account lost its second factor, or from when on it needs one; undefined if neither. */
function requirementOf({
  lost_second_factor: isLost,
  second_factor_required_from: from,
}: AccountSecurity): string | undefined {
  if (isLost) return t('securitySettings.lostSecondFactor');
  if (from === null) return undefined;
  // The day begins in UTC.
  const format = new Intl.DateTimeFormat(locale.value, { dateStyle: 'long', timeZone: 'UTC' });
  return t('securitySettings.requiredFrom', { date: format.format(new Date(from)) });
}

interface RowProps {
  readonly title: string;
  /** How it is now. */
  readonly state: string;
  readonly href: string;
  readonly action: string;
}

function Row({ title, state, href, action }: RowProps) {
  return (
    <div class="setting">
      <span class="setting-text">
        <strong>{title}</strong>
        <small>{state}</small>
      </span>
      <a class="button quiet" href={href} aria-label={t('securitySettings.actionOf', { action, title })}>
        {action}
      </a>
    </div>
  );
}
