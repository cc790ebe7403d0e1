import type { CommandOptions } from './shell.ts';

const barWidth = 30;

/** Creates a progress bar on stderr: one line that is overwritten on a terminal, else a line per 10 %. */
export function createProgressBar({ shell }: CommandOptions): {
  show: (step: string, share: number) => void;
  end: () => void;
} {
  const { stderr } = shell;
  const terminal = stderr.isTTY === true;
  let last = '';
  return {
    show(step, share) {
      const part = Math.floor(share * (terminal ? 200 : 10));
      if (last === `${step} ${part}`) return;
      last = `${step} ${part}`;
      const bar = '█'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '░');
      const percent = `${Math.round(share * 100)} %`.padStart(5);
      stderr.write(terminal ? `\r\u001B[K${bar} ${percent}  ${step}` : `${step}: ${percent.trim()}\n`);
    },
    end() {
      if (terminal && last !== '') stderr.write('\r\u001B[K');
    },
  };
}
