// Serves the modules of the web client with reload, and passes everything else on to the server. Started by bin/dev.mjs.
import { join } from 'node:path';
import { root } from './bootstrap.mjs';
import { ensureWebClient } from './build-web.mjs';

const { DEV_HOST, DEV_PORT, DEV_SERVER_PORT } = process.env;

/** Without the service worker, which would show old modules. An installed one is removed. */
const noServiceWorker = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', () => self.registration.unregister());`;

process.on('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(0));

// The server shows the client to signed-in people if there is a build.
await ensureWebClient();
const { createServer } = await import('vite');
const vite = await createServer({
  configFile: join(root, 'web/vite.config.ts'),
  clearScreen: false,
  logLevel: 'warn',
  server: {
    host: DEV_HOST,
    port: Number(DEV_PORT),
    strictPort: true,
    proxy: {
      '^/(?!web/)': {
        target: `http://127.0.0.1:${DEV_SERVER_PORT}`,
        ws: true,
        selfHandleResponse: true,
        configure: (proxy) => {
          proxy.on('proxyReq', (outgoing) => outgoing.setHeader('accept-encoding', 'identity'));
          proxy.on('proxyRes', passOn);
        },
      },
    },
  },
});
await vite.listen();

function passOn(incoming, request, response) {
  if (request.url === '/sw.js') {
    incoming.resume();
    return response
      .writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' })
      .end(noServiceWorker);
  }
  const isPage = incoming.headers['content-type']?.startsWith('text/html') === true;
  if (!isPage) {
    response.writeHead(incoming.statusCode, incoming.headers);
    return incoming.pipe(response);
  }
  const chunks = [];
  incoming.on('data', (chunk) => chunks.push(chunk));
  incoming.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    const page = withModules(text);
    const { 'content-length': _length, ...headers } = incoming.headers;
    // Vite adds styles to the page, which the policy of the shell forbids.
    if (page !== text) delete headers['content-security-policy'];
    response.writeHead(incoming.statusCode, headers).end(page);
  });
}

/** Returns the document of the client with its modules in place of the files of a build. Other pages stay as they are. */
function withModules(page) {
  const entry = /<script type="module" src="\/web\/assets\/main-[^"]+"><\/script>/;
  if (!entry.test(page)) return page;
  const modules = ['@vite/client', 'src/main.tsx'].map((name) => `<script type="module" src="/web/${name}"></script>`);
  return page
    .replace(entry, modules.join(''))
    .replaceAll(/<link rel="(?:stylesheet|modulepreload)" href="\/web\/[^>]+>/g, '');
}
