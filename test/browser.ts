import { expect } from 'vitest';
import { Client, form, type TestResponse, type TestServer } from './server.ts';

/** A simple browser for the pages of a server: it stores cookies, submits forms and follows redirects. */
export class Browser {
  readonly #client: Pick<Client, 'call'>;
  readonly cookies = new Map<string, string>();
  /** Accept-Language; none by default. */
  language: string | undefined;
  /** Response with the current page. */
  response: TestResponse | undefined;
  /** Path of the current page. */
  path = '/';

  /** Takes a test server, or a client of a real server. */
  constructor(server: TestServer | Pick<Client, 'call'>) {
    this.#client = 'http' in server ? new Client(server.http, undefined) : server;
  }

  get text(): string {
    return this.response?.text ?? '';
  }

  get status(): number {
    return this.response?.status ?? 0;
  }

  /** Opens a page and follows redirects within the server. Returns the last URL, which may be one of an app. */
  async open(path: string): Promise<string> {
    return this.#request('GET', path);
  }

  /** Submits the first form with this `action`, including its hidden fields. */
  async submit(action: string, fields: Record<string, string> = {}): Promise<string> {
    return this.#request('POST', action, { ...this.hiddenFields(action), ...fields });
  }

  /** Returns the hidden fields of a form on the current page. */
  hiddenFields(action: string): Record<string, string> {
    const start = this.text.indexOf(`action="${action}"`);
    expect(start, `the page has no form to ${action}:\n${this.text}`).toBeGreaterThan(0);
    const body = this.text.slice(start, this.text.indexOf('</form>', start));
    const inputs = body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
    return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, unescapeHtml(value)]));
  }

  /** Sends a form without the hidden fields of the page. */
  async send(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
    method: 'POST' | 'DELETE' = 'POST',
  ): Promise<TestResponse> {
    return this.#client.call(method, path, form(fields), { headers: { ...this.#headers(), ...headers } });
  }

  /** Sends a request as a script of a page does, without following redirects. */
  async fetch(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    const response = await this.#client.call(method, path, body, {
      headers: { ...this.#headers(), accept: 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
    });
    this.#storeCookies(response);
    return response;
  }

  /** The Cookie header of requests. */
  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async signIn(name: string, password = 'correct horse battery'): Promise<string> {
    await this.open('/auth/sign_in');
    return this.submit('/auth/sign_in', { email: name, password });
  }

  #headers(): Record<string, string> {
    const cookie = this.cookieHeader;
    return {
      accept: 'text/html,application/xhtml+xml',
      ...(this.language !== undefined && { 'accept-language': this.language }),
      ...(cookie !== '' && { cookie }),
    };
  }

  async #request(method: 'GET' | 'POST', path: string, fields?: Record<string, string>): Promise<string> {
    const body = fields === undefined ? undefined : form(fields);
    const response = await this.#client.call(method, path, body, { headers: this.#headers() });
    this.#storeCookies(response);
    const location = response.headers['location'];
    if (typeof location === 'string') return location.startsWith('/') ? this.#request('GET', location) : location;
    this.response = response;
    this.path = path;
    return path;
  }

  #storeCookies({ headers }: TestResponse): void {
    for (const line of [headers['set-cookie'] ?? []].flat().map(String)) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (line.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

export const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
