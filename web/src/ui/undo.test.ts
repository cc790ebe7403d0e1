import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { Changes, setFields } from '../store/changes.ts';
import { UndoOffers } from './undo.ts';

let endTime: (() => void) | undefined;
let offers: UndoOffers;
let ends: string[];

const startTimer = (run: () => void): (() => void) => {
  endTime = run;
  return () => (endTime = undefined);
};
const add = (text: string): void =>
  offers.add(text, (isUndone) => ends.push(`${text} ${isUndone ? 'undone' : 'final'}`));
const passTime = (): void => endTime?.();
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

beforeEach(() => {
  offers = new UndoOffers(startTimer);
  [endTime, ends] = [undefined, []];
});

test('an offer ends once: undone, or final when its time is over', async () => {
  add('a');
  expect(offers.shown.value?.text).toBe('a');
  expect([offers.undo(), offers.undo()]).toEqual([true, false]);
  add('b');
  passTime();
  await offers.settle();
  expect(ends).toEqual(['a undone', 'b final']);
  expect([offers.shown.value, endTime]).toEqual([undefined, undefined]);
});

test('a newer offer makes the older one final', () => {
  add('a');
  add('b');
  expect([ends, offers.shown.value?.text]).toEqual([['a final'], 'b']);
});

test('the time stands still while the reader looks at the offer, and begins anew afterwards', () => {
  add('a');
  offers.pause();
  expect(endTime).toBeUndefined();
  offers.resume();
  passTime();
  expect(ends).toEqual(['a final']);
  offers.resume();
  expect(endTime).toBeUndefined();
});

test('what is offered quietly is undone by the key after what is shown, and ends no other offer', () => {
  add('a');
  offers.addQuietly(() => ends.push('quiet'));
  expect(offers.shown.value?.text).toBe('a');
  expect([offers.undo(), offers.undo(), offers.undo()]).toEqual([true, true, false]);
  expect(ends).toEqual(['a undone', 'quiet']);
});

test('something else that was done replaces what was offered quietly', () => {
  offers.addQuietly(() => ends.push('quiet'));
  add('a');
  passTime();
  expect(offers.undo()).toBe(false);
  expect(ends).toEqual(['a final']);
});

test('leaving resolves after what follows is done', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  void offers.sendLater('a', async (mayBeSent) => ends.push(`${await mayBeSent} ${await promise}`));
  const left = offers.settle().then(() => ends.push('left'));
  await settled();
  expect(ends).toEqual([]);
  resolve('sent');
  await left;
  expect(ends).toEqual(['true sent', 'left']);
});

test('whatever is pressed, undone and answered in whichever order, all ends as it was pressed last, and nothing is sent twice', async () => {
  const steps = fc.array(fc.constantFrom('later', 'now', 'undo', 'leave', 'time', 'answer', 'refuse'), {
    maxLength: 14,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      offers = new UndoOffers(startTimer);
      endTime = undefined;
      let server = false;
      let shown = { isSet: false };
      let requests: { readonly isSet: boolean; readonly answer: (isTaken: boolean) => void }[] = [];
      const sent: number[] = [];
      let isRefused = false;
      const changes = new Changes<{ readonly isSet: boolean }>({
        peek: () => shown,
        show: (_id, value) => (shown = value),
      });
      let lastPress = 0;
      const make = (isSet: boolean, mayBeSent?: Promise<boolean>): Promise<boolean> => {
        const press = (lastPress += 1);
        const send = (): Promise<undefined> => {
          sent.push(press);
          const { promise, resolve, reject } = Promise.withResolvers<undefined>();
          const answer = (isTaken: boolean): void => {
            if (isTaken) server = isSet;
            if (isTaken) resolve(undefined);
            else reject(new Error('refused'));
          };
          requests.push({ isSet, answer });
          return promise;
        };
        const onError = (): void => void (isRefused = true);
        const options = { send, onError, ...(mayBeSent !== undefined && { mayBeSent }) };
        return changes.make('1', setFields<{ readonly isSet: boolean }>({ isSet }, options));
      };
      const answer = async (isTaken: boolean): Promise<void> => {
        requests.shift()?.answer(isTaken);
        await settled();
      };
      let wanted = false;
      let before: boolean | undefined;
      for (const step of sequence) {
        if (step === 'later' || step === 'now') {
          before = wanted;
          const isSet: boolean = !wanted;
          wanted = isSet;
          if (step === 'later') void offers.sendLater('', (mayBeSent) => make(isSet, mayBeSent));
          else {
            void make(isSet);
            offers.add('', (isUndone) => (isUndone ? make(!isSet) : undefined));
          }
        } else if (step === 'undo') {
          if (offers.undo() && before !== undefined) wanted = before;
        } else if (step === 'leave') void offers.settle();
        else if (step === 'time') passTime();
        else await answer(step === 'answer');
        await settled();
      }
      void offers.settle();
      await settled();
      while (requests.length > 0) await answer(true);
      requests = [];
      expect(shown.isSet).toBe(server);
      // After a refusal, everything shows what the server has.
      if (!isRefused) expect(server).toBe(wanted);
      expect(new Set(sent).size).toBe(sent.length);
      expect(changes.isChanging('1')).toBe(false);
    }),
    { numRuns: 100 },
  );
});
