// Script of the pages with passkeys: it lets the browser create and use passkeys. Without it, their forms stay hidden.
const isSupported = 'PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

for (const form of isSupported ? document.querySelectorAll('form[data-passkey]') : []) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submitCredential(form);
  });
}

let isBusy = false;
// The browser returned to this page, with its script as it was.
addEventListener('pageshow', () => (isBusy = false));

async function submitCredential(form) {
  if (isBusy) return;
  isBusy = true;
  const problem = form.querySelector('[role=alert]');
  problem.hidden = true;
  try {
    const credential = await askBrowser(form.dataset.passkey, JSON.parse(form.dataset.options));
    form.elements.credential.value = JSON.stringify(credential);
  } catch {
    // The user cancelled, or the browser has no passkey.
    problem.hidden = false;
    isBusy = false;
    return;
  }
  form.submit();
}

function askBrowser(ceremony, options) {
  if (ceremony === 'create') {
    return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) });
  }
  return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
}
