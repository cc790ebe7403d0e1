import { useId } from 'preact/hooks';
import { countGraphemes } from '../../../../server/text/count-characters.ts';
import type { Rule } from '../../api/entities.ts';
import { formatCount, locale, t } from '../../i18n/translate.tsx';
import { limitInput } from '../../ui/limit-input.ts';
import type { ReportCategory, ReportDraft } from './report-draft.ts';

interface StepProps {
  readonly draft: ReportDraft;
  readonly change: (changes: Partial<ReportDraft>) => void;
}

/** Maximum length of a comment (Mastodon). */
const maxComment = 1_000;

/** Asks why the account is reported. */
export function CategoryStep({ draft, change }: StepProps) {
  const categories: readonly (readonly [ReportCategory, string, string])[] = [
    ['spam', t('report.spam'), t('report.spamHint')],
    ['violation', t('report.violation'), t('report.violationHint')],
    ['legal', t('report.legal'), t('report.legalHint')],
    ['other', t('report.other'), t('report.otherHint')],
  ];
  return (
    <fieldset class="plain">
      <legend class="choices-legend">{t('report.why')}</legend>
      <div class="choices">
        {categories.map(([category, label, hint]) => (
          <label key={category} class="choice">
            <input
              type="radio"
              name="category"
              checked={draft.category === category}
              onChange={() => change({ category })}
            />
            <span>
              {label}
              <small>{hint}</small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Asks which rules are broken. */
export function RulesStep({ draft, change, rules }: StepProps & { readonly rules: readonly Rule[] }) {
  const toggle = (id: string): void =>
    change({
      ruleIds: draft.ruleIds.includes(id) ? draft.ruleIds.filter((one) => one !== id) : [...draft.ruleIds, id],
    });
  return (
    <fieldset class="plain">
      <legend class="choices-legend">{t('report.whichRules')}</legend>
      {rules.length === 0 && <p>{t('report.noRules')}</p>}
      <div class="choices">
        {rules.map((rule) => {
          const { text, hint } = rule.translations[locale.value] ?? rule;
          return (
            <label key={rule.id} class="choice">
              <input type="checkbox" checked={draft.ruleIds.includes(rule.id)} onChange={() => toggle(rule.id)} />
              <span dir="auto">
                {text}
                {hint !== '' && <small>{hint}</small>}
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

/** Asks for a comment, and whether the server of a remote account receives a copy. */
export function CommentStep({ draft, change, domain }: StepProps & { readonly domain: string | undefined }) {
  const id = useId();
  return (
    <>
      <div class="field">
        <label for={id}>{t('report.comment')}</label>
        <span class="hint">{t('report.commentHint')}</span>
        <textarea
          id={id}
          rows={5}
          dir="auto"
          value={draft.comment}
          onInput={limitInput(maxComment, (comment) => change({ comment }))}
        />
        <span class="hint">
          {t('report.charactersLeft', { left: formatCount(maxComment - countGraphemes(draft.comment)) })}
        </span>
      </div>
      {domain !== undefined && (
        <label class="choice">
          <input
            type="checkbox"
            checked={draft.forward}
            onChange={(event) => change({ forward: event.currentTarget.checked })}
          />
          <span>
            {t('report.forward', { domain })}
            <small>{t('report.forwardHint')}</small>
          </span>
        </label>
      )}
    </>
  );
}
