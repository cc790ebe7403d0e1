// Script of the form to sign up: it solves the challenge of the server while a person fills in the form. Without it, or in a browser
// that cannot solve it, the form is sent without a proof, and staff decide about the sign-up.
const keysAtOnce = 8;

async function prove(box) {
  const { challenge: text, solving, waiting, solved, unavailable } = box.dataset;
  const [form, progress, status] = [
    box.closest('form'),
    box.querySelector('progress'),
    box.querySelector('[role=status]'),
  ];
  let isDone = false;
  let isAwaited = false;
  form.addEventListener('submit', (event) => {
    if (isDone) return;
    event.preventDefault();
    isAwaited = true;
    status.textContent = waiting;
  });
  status.textContent = solving;
  progress.hidden = false;
  try {
    const challenge = JSON.parse(text);
    const solution = await solve(challenge.parameters, (share) => (progress.value = share));
    form.elements.proof_of_work.value = btoa(JSON.stringify({ challenge, solution }));
    status.textContent = solved;
  } catch {
    status.textContent = unavailable;
    isAwaited = false;
  }
  progress.hidden = true;
  isDone = true;
  if (isAwaited) form.requestSubmit();
}

/** Finds the counter whose key begins with `keyPrefix`. Browsers derive keys in threads of their own, so the page stays free. */
async function solve(parameters, report) {
  const { data, keyPrefix } = parameters;
  for (let first = 0; first <= data.maxCounter; first += keysAtOnce) {
    const counters = Array.from({ length: keysAtOnce }, (_, index) => first + index);
    const keys = await Promise.all(counters.map((counter) => deriveKey(parameters, counter)));
    const index = keys.findIndex((key) => key.startsWith(keyPrefix));
    if (index !== -1) return { counter: first + index, derivedKey: keys[index] };
    report(first / data.maxCounter);
  }
  throw new Error('The challenge has no solution.');
}

async function deriveKey({ nonce, salt, cost, keyLength }, counter) {
  const password = new Uint8Array([...fromHex(nonce), counter >>> 24, counter >>> 16, counter >>> 8, counter]);
  const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: fromHex(salt), iterations: cost };
  return toHex(new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, keyLength * 8)));
}

const fromHex = (text) => new Uint8Array(text.match(/../g).map((byte) => Number.parseInt(byte, 16)));
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

for (const box of document.querySelectorAll('[data-challenge]')) void prove(box);
