import { expect } from 'vitest';
import { Client, form, type TestResponse, type TestServer } from './server.ts';

/** What a browser does on the pages of a server: it keeps cookies, fills forms in and follows redirects. */
export class Browser {
  readonly #client: Pick<Client, 'call'>;
  readonly cookies = new Map<string, string>();
  /** The page that it shows. */
  response: TestResponse | undefined;
  /** Address of that page. */
  path = '/';

  /** In front of a server of a test, or of whatever sends requests to a real one. */
  constructor(server: TestServer | Pick<Client, 'call'>) {
    this.#client = 'http' in server ? new Client(server.http, undefined) : server;
  }

  get text(): string {
    return this.response?.text ?? '';
  }

  get status(): number {
    return this.response?.status ?? 0;
  }

  /** Opens a page; redirects within the server are followed. Gives the address that it ended at, which may be an app's. */
  async open(path: string): Promise<string> {
    return this.#request('GET', path);
  }

  /** Fills the first form that leads to `action` in and sends it, its hidden fields included. */
  async submit(action: string, fields: Record<string, string> = {}): Promise<string> {
    return this.#request('POST', action, { ...this.hiddenFields(action), ...fields });
  }

  /** The hidden fields of a form of the page. */
  hiddenFields(action: string): Record<string, string> {
    const start = this.text.indexOf(`action="${action}"`);
    expect(start, `the page has no form to ${action}:\n${this.text}`).toBeGreaterThan(0);
    const body = this.text.slice(start, this.text.indexOf('</form>', start));
    const inputs = body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
    return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, unescapeHtml(value)]));
  }

  /** Sends a form as it is, without what the page knows. */
  async send(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
    method: 'POST' | 'DELETE' = 'POST',
  ): Promise<TestResponse> {
    return this.#client.call(method, path, form(fields), { headers: { ...this.#headers(), ...headers } });
  }

  async signIn(name: string, password = 'correct horse battery'): Promise<string> {
    await this.open('/auth/sign_in');
    return this.submit('/auth/sign_in', { email: name, password });
  }

  #headers(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { accept: 'text/html,application/xhtml+xml', ...(cookie !== '' && { cookie }) };
  }

  async #request(method: 'GET' | 'POST', path: string, fields?: Record<string, string>): Promise<string> {
    const body = fields === undefined ? undefined : form(fields);
    const answer = await this.#client.call(method, path, body, { headers: this.#headers() });
    this.#storeCookies(answer);
    const location = answer.headers['location'];
    if (typeof location === 'string') return location.startsWith('/') ? this.#request('GET', location) : location;
    this.response = answer;
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

const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
