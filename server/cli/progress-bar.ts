const barWidth = 30;

/** A progress bar on stderr: one line that changes on a terminal, a line every tenth of a step elsewhere. */
export function createProgressBar(): { show: (step: string, share: number) => void; end: () => void } {
  const terminal = process.stderr.isTTY === true;
  let last = '';
  return {
    show(step, share) {
      const part = Math.floor(share * (terminal ? 200 : 10));
      if (last === `${step} ${part}`) return;
      last = `${step} ${part}`;
      const bar = '█'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '░');
      const percent = `${Math.round(share * 100)} %`.padStart(5);
      process.stderr.write(terminal ? `\r\u001B[K${bar} ${percent}  ${step}` : `${step}: ${percent.trim()}\n`);
    },
    end() {
      if (terminal && last !== '') process.stderr.write('\r\u001B[K');
    },
  };
}
