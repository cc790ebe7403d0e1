import { sessionProblem } from '../api/client.ts';
import { t } from '../i18n/translate.tsx';
import './session-problem.css';

/** Says that the session ended or that another tab switched accounts, and how to go on. Nothing typed is lost. */
export function SessionProblem() {
  const problem = sessionProblem.value;
  if (problem === undefined) return null;
  return (
    <div class="session-problem" role="alert">
      {problem === 'expired' ? (
        <>
          <p>{t('session.expired')}</p>
          <a class="button" href="/auth/sign_in" target="_blank" rel="noopener">
            {t('session.signIn')}
          </a>
        </>
      ) : (
        <>
          <p>{t('session.accountChanged')}</p>
          <button type="button" class="button" onClick={() => location.reload()}>
            {t('session.reload')}
          </button>
        </>
      )}
    </div>
  );
}
