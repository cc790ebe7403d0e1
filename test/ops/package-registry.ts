import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';

/** A package as npm stores it in a registry. */
interface Published {
  readonly manifest: Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string };
  readonly tarball: Buffer;
}

/** A registry of packages that npm installs from, on this machine. Disposal stops it. */
export class PackageRegistry implements AsyncDisposable {
  /** Answers in place of the registry; returns whether it did. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  readonly #server: Server;
  readonly #packages = new Map<string, Published>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (!this.intercept(request, response)) this.#answer(request, response);
    });
  }

  static async start(): Promise<PackageRegistry> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new PackageRegistry(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Publishes a package with these executable files. */
  async publish(manifest: Published['manifest'], files: Readonly<Record<string, string>> = {}): Promise<void> {
    const entries = Object.entries({ ...files, 'package.json': JSON.stringify(manifest) }).map(([name, body]) => ({
      header: { name: `package/${name}`, size: Buffer.byteLength(body), mode: 0o755 },
      body,
    }));
    this.#packages.set(manifest.name, { manifest, tarball: gzipSync(await packTar(entries)) });
  }

  /** The entries of package-lock.json for all packages. */
  lockEntries(): Record<string, unknown> {
    return Object.fromEntries(
      [...this.#packages.values()].map(({ manifest: { name, version, bin, scripts }, tarball }) => [
        `node_modules/${name}`,
        {
          version,
          resolved: `${this.url}${name}.tgz`,
          integrity: integrityOf(tarball),
          optional: true,
          ...(bin !== undefined && { bin }),
          ...(scripts !== undefined && { hasInstallScript: true }),
        },
      ]),
    );
  }

  #answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
    const found = this.#packages.get(decodeURIComponent(url.slice(1)).replace(/\.tgz$/, ''));
    if (found === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Not found"}');
      return;
    }
    const { manifest, tarball } = found;
    if (url.endsWith('.tgz')) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(tarball);
      return;
    }
    const dist = { tarball: `${this.url}${manifest.name}.tgz`, integrity: integrityOf(tarball) };
    const { name, version } = manifest;
    const document = { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

const integrityOf = (tarball: Buffer): string => `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
