import { withQuery } from '../../api/client.ts';
import { signal } from '@preact/signals';
import type { AdminReport } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import type { FilterValues } from '../list/filter-values.ts';
import {
  changeReport,
  closesAllReports,
  decide,
  isReversible,
  reverse,
  type Decision,
  type ReportAnswer,
} from './decisions.ts';
import { refreshStaffCounts } from '../../unread/index.ts';
import { Pages } from '../../store/pages.ts';

export const defaultFilters: FilterValues = { state: 'unresolved', category: '', origin: '', assigned: '' };

/** Returns the query of the list of reports for filters. */
export function toQuery({ state, category, origin, assigned }: FilterValues): Record<string, string | boolean> {
  return {
    ...(state !== 'unresolved' && { resolved: true }),
    ...(state === 'all' && { unresolved: true }),
    ...(category !== undefined && category !== '' && { category }),
    ...(origin !== undefined && origin !== '' && { origin }),
    ...(assigned !== undefined && assigned !== '' && { assigned }),
  };
}

const newQueue = (filters: FilterValues): Pages<AdminReport> =>
  new Pages<AdminReport>(withQuery('/api/v1/admin/reports', { limit: 60, ...toQuery(filters) }));

/** The reports that the keys j and k move through: those of the list that was open last. */
const queue = signal(newQueue(defaultFilters));
let currentFilters = JSON.stringify(defaultFilters);

/** Changes that the server has not answered yet. */
const sending = new Set<Promise<unknown>>();

/** The last change that `u` takes back. */
let lastChange: (() => Promise<void>) | undefined;

/** Returns the reports of filters; they are loaded anew. */
export function openQueue(filters: FilterValues): Pages<AdminReport> {
  const key = JSON.stringify(filters);
  if (key !== currentFilters) {
    currentFilters = key;
    queue.value = newQueue(filters);
  }
  const list = queue.peek();
  // Otherwise reports that are being closed would be listed as open.
  void Promise.allSettled(sending).then(() => list.load());
  return list;
}

/** Returns the reports of the list that was open last. */
export function currentQueue(): Pages<AdminReport> {
  const list = queue.value;
  if (list.items.peek().length === 0 && list.state.peek() === 'loading') void list.load();
  return list;
}

/** Returns the id of the report beside one; `isOpen` skips resolved ones. Loads more near the end. */
export function neighbour(id: string, step: 1 | -1, { isOpen = false } = {}): string | undefined {
  const list = queue.peek();
  const items = list.items.peek();
  const at = items.findIndex((report) => report.id === id);
  if (step === 1 && at >= items.length - 5) void list.loadMore();
  const candidates = step === 1 ? items.slice(at + 1) : items.slice(0, Math.max(at, 0)).toReversed();
  return (isOpen ? candidates.find((report) => !report.action_taken) : candidates[0])?.id;
}

/** Returns how many reports of the list are open. */
export const countOpen = (): number => queue.value.items.value.filter((report) => !report.action_taken).length;

/** Replaces a report of the list. */
export function storeReport(report: AdminReport): void {
  queue.peek().change((reports) => reports.map((one) => (one.id === report.id ? report : one)));
}

function setTaken(ids: readonly string[], isTaken: boolean): void {
  queue
    .peek()
    .change((reports) =>
      reports.map((report) => (ids.includes(report.id) ? { ...report, action_taken: isTaken } : report)),
    );
}

/** The reports that a decision closes, as far as they are in the list. */
function closedBy(report: AdminReport, answer: ReportAnswer): readonly string[] {
  if (!closesAllReports(answer)) return [report.id];
  const others = queue.peek().items.peek();
  const same = others.filter((one) => one.target_account.id === report.target_account.id && !one.action_taken);
  return [...new Set([report.id, ...same.map(({ id }) => id)])];
}

/** Shows a decision as done at once, sends it, and takes it back with a message if the server refuses it. */
export async function answerReport(report: AdminReport, answer: ReportAnswer): Promise<void> {
  const ids = closedBy(report, answer);
  await closeAtOnce(ids, () => decide(report, answer), {
    retry: () => void answerReport(report, answer),
    done: t(`decision.${answer.decision}Done`, { name: `@${report.target_account.account.acct}` }),
    undo: isReversible(answer) ? () => undoDecision(report, answer.decision, ids) : undefined,
  });
}

/** Closes a report without a decision. */
export async function closeReport(report: AdminReport): Promise<void> {
  await closeAtOnce([report.id], () => changeReport(report.id, 'resolve'), {
    retry: () => void closeReport(report),
    done: t('reports.resolved'),
    undo: () => reopen([report.id]),
  });
}

interface Outcome {
  readonly retry: () => void;
  readonly done: string;
  readonly undo: (() => Promise<void>) | undefined;
}

async function closeAtOnce(
  ids: readonly string[],
  send: () => Promise<unknown>,
  { retry, done, undo }: Outcome,
): Promise<void> {
  setTaken(ids, true);
  const sent = send();
  sending.add(sent);
  try {
    await sent;
  } catch (error) {
    setTaken(ids, false);
    return showError(error, retry);
  } finally {
    sending.delete(sent);
  }
  void refreshStaffCounts();
  lastChange = undo;
  showToast(done, undo === undefined ? {} : { action: { label: t('moderation.undo'), run: () => void undoLast() } });
}

/** Takes the last decision back, if the API can. */
export async function undoLast(): Promise<void> {
  const undo = lastChange;
  lastChange = undefined;
  if (undo === undefined) return showToast(t('reports.nothingToUndo'));
  try {
    await undo();
    showToast(t('reports.undone'));
  } catch (error) {
    lastChange = undo;
    showError(error, () => void undoLast());
  }
}

async function undoDecision(report: AdminReport, decision: Decision, ids: readonly string[]): Promise<void> {
  if (decision !== 'warn' && decision !== 'delete') await reverse(report.target_account.id, decision);
  await reopen(ids);
}

async function reopen(ids: readonly string[]): Promise<void> {
  for (const id of ids) storeReport(await changeReport(id, 'reopen'));
  void refreshStaffCounts();
}
