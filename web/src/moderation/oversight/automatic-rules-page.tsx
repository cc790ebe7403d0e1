import { request } from '../../api/client.ts';
import type { ModerationRule, ModerationRuleMatch, ModerationRuleTrial } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { NotLoaded, useLoaded } from '../../ui/use-loaded.tsx';
import { useRefresh } from '../../ui/use-refresh.ts';
import type { FieldSpec } from '../form/fields.ts';
import { ResourcePage, type Resource } from '../resource/resource-page.tsx';
import { toConditions, toRuleValues } from './rule-conditions.ts';
import type { Pages } from '../../store/pages.ts';
import { putItem } from '../list/listed.ts';

const path = '/api/v1/fieldfare/admin/moderation_rules';

/** Rules that the server applies by itself to posts, sign-ups and follows. */
export function AutomaticRulesPage() {
  const resource: Resource<ModerationRule> = {
    title: t('sections.automaticRules'),
    permissions: ['manage_rules'],
    path,
    intro: t('autoRules.intro'),
    empty: t('autoRules.empty'),
    addLabel: t('autoRules.add'),
    fields: ruleFields(),
    editFields: ruleFields(),
    toValues: toRuleValues,
    prepareBody: toConditions,
    nameOf: ({ title, id }) => (title === '' ? id : title),
    render: (rule) => (
      <>
        <p class="item-title">
          {rule.title}{' '}
          <span class={rule.enabled ? 'tag strong' : 'tag'}>
            {rule.enabled ? t('autoRules.on') : t('autoRules.off')}
          </span>
        </p>
        <p class="small soft">
          {[t(`ruleSubject.${rule.subject}`), ...rule.actions.map((action) => t(`ruleAction.${action}`))].join(' · ')}
        </p>
      </>
    ),
    actions: (rule, list) => [
      rule.subject === 'post'
        ? { label: t('autoRules.trial'), onSelect: () => openDialog((close) => <Trial rule={rule} onClose={close} />) }
        : undefined,
      { label: rule.enabled ? t('autoRules.disable') : t('autoRules.enable'), onSelect: () => void toggle(rule, list) },
      { label: t('autoRules.matches'), onSelect: () => openDialog((close) => <Matches rule={rule} onClose={close} />) },
      { label: t('autoRules.undo'), isDangerous: true, onSelect: () => void undo(rule) },
    ],
    deletion: { label: t('autoRules.delete'), text: () => t('autoRules.deleteText') },
  };
  return <ResourcePage resource={resource} />;
}

function ruleFields(): readonly FieldSpec[] {
  const lines = (name: string, label: string): FieldSpec => ({
    name,
    label,
    kind: 'lines',
    hint: t('settingsPage.linesHint'),
    rows: 3,
  });
  return [
    { name: 'title', label: t('autoRules.title'), kind: 'text', isRequired: true },
    {
      name: 'subject',
      label: t('autoRules.subject'),
      kind: 'choice',
      options: (['post', 'sign_up', 'follow'] as const).map((value) => ({ value, label: t(`ruleSubject.${value}`) })),
    },
    {
      name: 'origin',
      label: t('moderation.origin'),
      kind: 'choice',
      options: [
        { value: 'any', label: t('moderation.all') },
        { value: 'local', label: t('moderation.local') },
        { value: 'remote', label: t('moderation.remote') },
      ],
    },
    lines('keywords', t('autoRules.keywords')),
    { name: 'whole_word', label: t('autoRules.wholeWord'), kind: 'checkbox' },
    lines('link_domains', t('autoRules.linkDomains')),
    { name: 'links_at_least', label: t('autoRules.linksAtLeast'), kind: 'number' },
    { name: 'account_younger_than', label: t('autoRules.youngerThan'), kind: 'number' },
    { name: 'strangers_at_least', label: t('autoRules.strangers'), kind: 'number' },
    lines('domains', t('autoRules.domains')),
    lines('languages', t('autoRules.languages')),
    lines('media_hashes', t('autoRules.mediaHashes')),
    { name: 'rate_more_than', label: t('autoRules.moreThan'), kind: 'number' },
    { name: 'rate_seconds', label: t('autoRules.seconds'), kind: 'number' },
    {
      name: 'actions',
      label: t('autoRules.actions'),
      kind: 'choices',
      options: (['reject', 'hold', 'silence', 'sensitive', 'report'] as const).map((value) => ({
        value,
        label: t(`ruleAction.${value}`),
      })),
    },
    { name: 'score', label: t('autoRules.score'), kind: 'number', hint: t('autoRules.scoreHint') },
  ];
}

async function toggle(rule: ModerationRule, list: Pages<ModerationRule>): Promise<void> {
  try {
    putItem(list, await request<ModerationRule>('PUT', `${path}/${rule.id}`, { body: { enabled: !rule.enabled } }));
  } catch (error) {
    showError(error, () => void toggle(rule, list));
  }
}

async function undo(rule: ModerationRule): Promise<void> {
  if (!(await confirm({ title: rule.title, text: t('autoRules.undoText'), action: t('autoRules.undo') }))) return;
  try {
    await request('POST', `${path}/${rule.id}/undo`);
    showToast(t('autoRules.undoStarted'));
  } catch (error) {
    showError(error, () => void undo(rule));
  }
}

interface RuleDialogProps {
  readonly rule: ModerationRule;
  readonly onClose: () => void;
}

/** Compares the rule with past posts, without any action, and shows what it would have caught. */
function Trial({ rule, onClose }: RuleDialogProps) {
  const trialsPath = `${path}/${rule.id}/trials`;
  const trials = useLoaded<readonly ModerationRuleTrial[]>(trialsPath);
  const [trial] = trials.value ?? [];
  const isRunning = trial !== undefined && trial.finished_at === null;
  useRefresh<readonly ModerationRuleTrial[]>(trialsPath, isRunning, (loaded) => (trials.value = loaded));
  const start = (): void =>
    void request<ModerationRuleTrial>('POST', trialsPath, { body: {} }).then(
      (started) => (trials.value = [started]),
      showError,
    );
  return (
    <Dialog
      title={t('autoRules.trial')}
      onClose={onClose}
      actions={
        <button type="button" class="button" disabled={isRunning} onClick={start}>
          {t('autoRules.startTrial')}
        </button>
      }
    >
      <p class="soft">{t('autoRules.trialIntro')}</p>
      {trials.error !== undefined && <NotLoaded of={trials} />}
      <div role="status">
        {isRunning && <p>{t('autoRules.running')}</p>}
        {trial !== undefined && !isRunning && (
          <p>
            <strong>{t('autoRules.matched', { count: trial.matched })}</strong>{' '}
            {t('autoRules.examined', { count: trial.examined })}
          </p>
        )}
      </div>
      <ul class="notes">
        {(trial?.samples ?? []).map((sample) => (
          <li key={sample.status_id} dir="auto">
            {sample.excerpt}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** What the rule did. */
function Matches({ rule, onClose }: RuleDialogProps) {
  const matches = useLoaded<readonly ModerationRuleMatch[]>(`${path}/${rule.id}/matches`);
  if (matches.value === undefined)
    return (
      <Dialog title={t('autoRules.matches')} onClose={onClose}>
        <NotLoaded of={matches} count={2} />
      </Dialog>
    );
  return (
    <Dialog title={t('autoRules.matches')} onClose={onClose}>
      {matches.value.length === 0 && <p class="soft">{t('autoRules.noMatches')}</p>}
      <ul class="notes">
        {matches.value.map((match) => (
          <li key={match.id}>
            <p dir="auto">{match.excerpt}</p>
            <span class="small soft">
              {match.actions.map((action) => t(`ruleAction.${action}`)).join(' · ')} ·{' '}
              <RelativeTime time={match.created_at} />
              {match.undone_at !== null && ` · ${t('reports.undone')}`}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
