import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { Alias, CredentialAccount } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { setMe } from '../../session/session.ts';
import { confirm } from '../../ui/confirm.tsx';
import { describeError, showToast } from '../../ui/toasts.tsx';
import { useSingleRun } from '../../ui/use-single-run.ts';

/** Aliases, which allow another account to move here, and the move to another account. */
export function Moving() {
  return (
    <details class="moving">
      <summary>{t('profileEditor.moving')}</summary>
      <Aliases />
      <MoveForm />
      <p>
        <a href="/settings/migration">{t('profileEditor.serverPage')}</a>
      </p>
    </details>
  );
}

function Aliases() {
  const id = useId();
  const aliases = useSignal<readonly Alias[]>([]);
  const acct = useSignal('');
  const problem = useSignal('');
  const [run, isRunning] = useSingleRun(async (method: 'GET' | 'POST' | 'DELETE', body?: { readonly acct: string }) => {
    try {
      aliases.value = await request<readonly Alias[]>(method, '/api/v1/profile/aliases', body ? { body } : {});
      problem.value = '';
      if (method === 'POST') acct.value = '';
    } catch (error) {
      problem.value = describeError(error);
    }
  });
  useEffect(() => void run('GET'), []);
  return (
    <section aria-labelledby={`${id}title`}>
      <h3 id={`${id}title`}>{t('profileEditor.aliases')}</h3>
      <p class="soft small">{t('profileEditor.aliasesHint')}</p>
      <ul class="aliases">
        {aliases.value.map((alias) => {
          const name = alias.acct === null ? alias.uri : `@${alias.acct}`;
          return (
            <li key={alias.uri}>
              <span>
                {name}
                {alias.acct === null && <small class="soft"> {t('profileEditor.aliasUnknown')}</small>}
              </span>
              <button
                type="button"
                class="button quiet"
                aria-label={t('profileEditor.removeAlias', { name })}
                onClick={() => void run('DELETE', { acct: alias.acct ?? alias.uri })}
              >
                {t('profileEditor.remove')}
              </button>
            </li>
          );
        })}
      </ul>
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          void run('POST', { acct: acct.value.trim() });
        }}
      >
        <div class="field">
          <label for={`${id}acct`}>{t('profileEditor.aliasField')}</label>
          <input
            id={`${id}acct`}
            type="text"
            required
            autoCapitalize="none"
            placeholder={t('profileEditor.handleExample')}
            value={acct.value}
            onInput={(event) => (acct.value = event.currentTarget.value)}
          />
          <span class="problem" role="alert">
            {problem.value}
          </span>
        </div>
        <button type="submit" class="button quiet" disabled={isRunning}>
          {t('profileEditor.aliasAdd')}
        </button>
      </form>
    </section>
  );
}

function MoveForm() {
  const id = useId();
  const acct = useSignal('');
  const password = useSignal('');
  const problem = useSignal('');
  const [move, isMoving] = useSingleRun(async () => {
    const handle = acct.value.trim();
    const question = {
      title: t('profileEditor.moveQuestion', { handle }),
      text: t('profileEditor.moveText'),
      action: t('profileEditor.moveAction'),
    };
    if (!(await confirm(question))) return;
    try {
      const body = { acct: handle, password: password.value };
      setMe(await request<CredentialAccount>('POST', '/api/v1/profile/move', { body }));
      showToast(t('profileEditor.moved', { handle }));
      problem.value = '';
      password.value = '';
    } catch (error) {
      problem.value = describeError(error);
    }
  });
  return (
    <section aria-labelledby={`${id}title`}>
      <h3 id={`${id}title`}>{t('profileEditor.move')}</h3>
      <p class="soft small">{t('profileEditor.moveHint')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void move();
        }}
      >
        <div class="field">
          <label for={`${id}acct`}>{t('profileEditor.moveTarget')}</label>
          <input
            id={`${id}acct`}
            type="text"
            required
            autoCapitalize="none"
            placeholder={t('profileEditor.handleExample')}
            value={acct.value}
            onInput={(event) => (acct.value = event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for={`${id}password`}>{t('profileEditor.movePassword')}</label>
          <input
            id={`${id}password`}
            class="password"
            type="password"
            required
            autoComplete="current-password"
            value={password.value}
            onInput={(event) => (password.value = event.currentTarget.value)}
          />
          <span class="problem" role="alert">
            {problem.value}
          </span>
        </div>
        <button type="submit" class="button danger" disabled={isMoving}>
          {t('profileEditor.moveAction')}
        </button>
      </form>
    </section>
  );
}
