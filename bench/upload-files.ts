// Uploads one file some times, one after the other; a thread of uploads.ts.
import { workerData } from 'node:worker_threads';

const { origin, token, file, times } = workerData as {
  readonly origin: string;
  readonly token: string;
  readonly file: Uint8Array<ArrayBuffer>;
  readonly times: number;
};

for (let time = 0; time < times; time += 1) {
  const body = new FormData();
  body.append('file', new Blob([file]), 'image');
  const answer = await fetch(`${origin}/api/v2/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  if (answer.status !== 200) throw new Error(`an upload answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}
