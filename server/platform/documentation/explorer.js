/* Adds the search and "Try it" to the page of the API. The token stays in its input, and nowhere else. */
const tools = document.getElementById('tools');
const search = document.getElementById('search');
const token = document.getElementById('token');
const found = document.getElementById('found');
const entries = [...document.querySelectorAll('details[data-path]')];
const texts = new Map(entries.map((entry) => [entry, entry.querySelector('summary').textContent.toLowerCase()]));
const maxShown = 200_000;
const shownHeaders = /^(?:link|location|content-type|deprecation|retry-after|x-ratelimit-.*|x-request-id)$/;

tools.hidden = false;
search.addEventListener('input', filter);
globalThis.addEventListener('pagehide', () => (token.value = ''));
globalThis.addEventListener('hashchange', openTarget);
for (const entry of entries) entry.addEventListener('toggle', () => prepare(entry));
filter();
openTarget();

/** Shows the operations that have every word of the search, and the groups that have one of them. */
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const entry of entries) {
    const isFound = words.every((word) => texts.get(entry).includes(word));
    entry.hidden = !isFound;
    if (isFound) count += 1;
  }
  for (const section of document.querySelectorAll('section')) {
    section.hidden = section.querySelector('details:not([hidden])') === null;
  }
  found.textContent = words.length === 0 ? '' : `${count} of ${entries.length} operations`;
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.matches('details')) target.open = true;
}

/** Turns the parameters of an operation that was opened into a form, once. */
function prepare(entry) {
  if (!entry.open || entry.dataset.access === 'page' || entry.querySelector('form') !== null) return;
  const form = createElement('form');
  const list = entry.querySelector('.parameters');
  if (list !== null) {
    for (const item of list.children) addField(entry, item);
    form.append(list);
  }
  const button = createElement('button', 'Try it');
  button.type = 'submit';
  form.append(button);
  if (entry.dataset.method !== 'GET') form.append(createElement('span', ' This changes data on the server.', 'note'));
  const output = createElement('div', '', 'output');
  output.setAttribute('role', 'status');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(entry, form, output);
  });
  entry.append(form, output);
}

function addField(entry, item) {
  const { name, kind, choices, required } = item.dataset;
  const label = createElement('label');
  const field = createField(kind, choices === '' ? [] : choices.split(' '));
  field.name = name;
  field.id = `${entry.id}-${name}`;
  field.required = required !== undefined;
  label.htmlFor = field.id;
  label.append(...item.childNodes);
  item.append(label, field);
}

function createField(kind, choices) {
  if (kind === 'list' || kind === 'object' || kind === 'objects') {
    const area = createElement('textarea');
    area.rows = 2;
    area.placeholder = kind === 'list' ? 'One in each line' : 'JSON';
    return area;
  }
  if (kind === 'boolean' || choices.length > 0) {
    const select = createElement('select');
    for (const choice of ['', ...(kind === 'boolean' ? ['true', 'false'] : choices)]) {
      const option = createElement('option', choice === '' ? '(not sent)' : choice);
      option.value = choice;
      select.append(option);
    }
    return select;
  }
  const input = createElement('input');
  input.type = kind === 'file' ? 'file' : 'text';
  input.autocomplete = 'off';
  if (kind === 'integer' || kind === 'number') input.inputMode = 'numeric';
  return input;
}

async function send(entry, form, output) {
  output.replaceChildren(createElement('p', 'Waiting for the response …', 'note'));
  try {
    const { url, init } = requestOf(entry, form);
    const response = await fetch(url, { ...init, credentials: 'omit', redirect: 'manual' });
    show(output, `${entry.dataset.method} ${url}`, response, await response.text());
  } catch (error) {
    output.replaceChildren(createElement('p', `It could not be sent: ${error.message}`));
  }
}

function requestOf(entry, form) {
  const { method, path } = entry.dataset;
  let address = path;
  const query = new URLSearchParams();
  const body = {};
  let hasFile = false;
  for (const item of form.querySelectorAll('li[data-name]')) {
    const { name, place, kind } = item.dataset;
    const value = valueOf(form.elements.namedItem(name), kind);
    if (value === undefined) continue;
    if (place === 'path') address = address.replace(`:${name}`, encodeURIComponent(value));
    else if (place === 'body') body[name] = value;
    else for (const [key, text] of flatten(name, value)) query.append(key, text);
    hasFile ||= value instanceof File;
  }
  const url = query.size > 0 ? `${address}?${query}` : address;
  const headers = token.value.trim() === '' ? {} : { authorization: `Bearer ${token.value.trim()}` };
  if (Object.keys(body).length === 0) return { url, init: { method, headers } };
  if (!hasFile) {
    return {
      url,
      init: { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) },
    };
  }
  const data = new FormData();
  for (const [name, value] of Object.entries(body)) {
    for (const [key, part] of flatten(name, value)) data.append(key, part);
  }
  return { url, init: { method, headers, body: data } };
}

/** The value of a field; undefined when nothing was entered. */
function valueOf(field, kind) {
  if (kind === 'file') return field.files[0];
  const text = field.value;
  if (text.trim() === '') return undefined;
  if (kind === 'boolean') return text === 'true';
  if (kind === 'integer' || kind === 'number') return Number(text);
  if (kind === 'list') return text.split('\n').filter((line) => line !== '');
  return kind === 'object' || kind === 'objects' ? JSON.parse(text) : text;
}

/** Names with brackets for the values within a value, as forms carry them. */
function flatten(name, value) {
  if (Array.isArray(value)) return value.flatMap((item) => flatten(`${name}[]`, item));
  if (value instanceof File) return [[name, value]];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, item]) => flatten(`${name}[${key}]`, item));
}

function show(output, request, response, text) {
  const status =
    response.type === 'opaqueredirect'
      ? 'A redirect, which is not followed'
      : `${response.status} ${response.statusText}`;
  const headers = [...response.headers].filter(([name]) => shownHeaders.test(name));
  output.replaceChildren(
    createElement('p', request, 'note'),
    createElement('strong', status),
    createElement('pre', headers.map(([name, value]) => `${name}: ${value}`).join('\n')),
    createElement('pre', readable(text)),
  );
}

function readable(text) {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    // It is no JSON: shown as it is.
  }
  return shown.length > maxShown ? `${shown.slice(0, maxShown)}\n… (${shown.length} characters)` : shown;
}

function createElement(name, text = '', className = '') {
  const element = document.createElement(name);
  element.textContent = text;
  element.className = className;
  return element;
}
