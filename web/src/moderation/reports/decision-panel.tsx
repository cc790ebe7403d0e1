import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { FieldfareAdminWarningPreset } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { CancelButton } from '../../ui/dialog.tsx';
import { limitInput } from '../../ui/limit-input.ts';
import type { Decision, ReportAnswer } from './decisions.ts';
import { listConsequences } from './consequences.ts';
import { useSingleRun } from '../../ui/use-single-run.ts';
import { NotLoaded, useLoaded } from '../../ui/use-loaded.tsx';

interface DecisionPanelProps {
  /** The decisions, in order of their keys. */
  readonly options: readonly Decision[];
  /** Decisions that cannot be chosen. */
  readonly disabled?: readonly Decision[];
  /** Whether the account is local. */
  readonly isLocal: boolean;
  /** Whether a report is decided, rather than an account. Its decisions have number keys. */
  readonly isReport?: boolean;
  /** The posts that are chosen. */
  readonly statusIds: readonly string[];
  readonly decision: Decision | undefined;
  readonly onChoose: (decision: Decision) => void;
  readonly onCancel: () => void;
  readonly onConfirm: (message: Pick<ReportAnswer, 'text' | 'sendMail'>) => Promise<void>;
}

/** The decisions about a report. A chosen one shows its consequences and its mail before it is confirmed. */
export function DecisionPanel(props: DecisionPanelProps) {
  const { options, disabled = [], isReport = false, decision, onChoose } = props;
  return (
    <section class="section-box" aria-label={t('decision.title')}>
      <h2>{t('decision.title')}</h2>
      <div class="decisions">
        {options.map((one, index) => (
          <button
            key={one}
            type="button"
            class="button quiet"
            aria-pressed={one === decision}
            disabled={disabled.includes(one)}
            onClick={() => onChoose(one)}
          >
            {t(`decision.${one}`)} {isReport && <kbd aria-hidden="true">{index + 1}</kbd>}
          </button>
        ))}
      </div>
      {decision !== undefined && <Confirmation key={decision} {...props} decision={decision} />}
    </section>
  );
}

function Confirmation(props: DecisionPanelProps & { readonly decision: Decision }) {
  const { isLocal, isReport = false, statusIds, decision, onCancel } = props;
  const [confirm, isSending] = useSingleRun(props.onConfirm);
  const text = useSignal('');
  const sendMail = useSignal(true);
  const button = useRef<HTMLButtonElement>(null);
  const fieldId = useId();
  // Before the text is painted, so that Enter confirms as soon as it can be read.
  useLayoutEffect(() => button.current?.focus(), []);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void confirm({ text: text.value, sendMail: isLocal && sendMail.value });
      }}
    >
      <div class="consequences">
        <h3>{t('decision.consequences')}</h3>
        <ul>
          {listConsequences(decision, { isLocal, isReport, posts: statusIds.length }).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
      {isLocal && (
        <label class="check">
          <input
            type="checkbox"
            checked={sendMail.value}
            onChange={(event) => (sendMail.value = event.currentTarget.checked)}
          />
          {t('decision.sendMail')}
        </label>
      )}
      <Presets onChoose={(preset) => (text.value = [text.value, preset].filter((part) => part !== '').join('\n\n'))} />
      <div class="field">
        <label htmlFor={fieldId}>{isLocal ? t('decision.mailText') : t('decision.internalText')}</label>
        <textarea
          id={fieldId}
          rows={4}
          value={text.value}
          onInput={limitInput(5000, (typed) => (text.value = typed))}
        />
        <span class="hint">{isLocal ? t('decision.mailTextHint') : t('decision.internalTextHint')}</span>
      </div>
      <div class="buttons">
        <button
          ref={button}
          type="submit"
          disabled={isSending}
          class={decision === 'warn' ? 'button' : 'button danger'}
        >
          {t(`decision.${decision}Confirm`)} <kbd aria-hidden="true">↵</kbd>
        </button>
        <CancelButton onClick={onCancel} />
      </div>
    </form>
  );
}

let presets: Promise<readonly FieldfareAdminWarningPreset[]> | undefined;

/** Loads the prepared texts once. */
async function loadPresets(): Promise<readonly FieldfareAdminWarningPreset[]> {
  presets ??= request<readonly FieldfareAdminWarningPreset[]>('GET', '/api/v1/fieldfare/admin/warning_presets');
  try {
    return await presets;
  } catch (error) {
    presets = undefined;
    throw error;
  }
}

function Presets({ onChoose }: { readonly onChoose: (text: string) => void }) {
  const loaded = useLoaded<readonly FieldfareAdminWarningPreset[]>('presets', loadPresets);
  const list = loaded.value ?? [];
  const id = useId();
  if (loaded.error !== undefined) return <NotLoaded of={loaded} />;
  if (list.length === 0) return null;
  return (
    <div class="field">
      <label htmlFor={id}>{t('decision.preset')}</label>
      <select
        id={id}
        value=""
        onChange={(event) => {
          const preset = list.find((one) => one.id === event.currentTarget.value);
          if (preset !== undefined) onChoose(preset.text);
          event.currentTarget.value = '';
        }}
      >
        <option value="">{t('decision.choosePreset')}</option>
        {list.map((preset) => (
          <option key={preset.id} value={preset.id}>
            {preset.title === '' ? preset.text.slice(0, 60) : preset.title}
          </option>
        ))}
      </select>
    </div>
  );
}
