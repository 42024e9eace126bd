import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { loadEnv } from 'vite';
import { defineConfig } from 'vitest/config';
import { graphqlDocuments } from './tooling/graphql-plugin.mjs';

/** What the server answers itself, for a console that Vite serves. The paths of pages are not among them. */
const SERVER_PATHS = ['/graphql', '/deliverables/.+/content', '/executions/.+\\.zip', '/[a-z-]+\\.jsonl', '/healthz', '/readyz', '/licenses'];

export default defineConfig(({ mode }) => {
  const server = loadEnv(mode, '.', 'API_')['API_URL'] ?? 'http://127.0.0.1:8080';
  const proxy = Object.fromEntries(SERVER_PATHS.map((path) => [`^${path}($|\\?)`, { target: server, ws: path === '/graphql' }]));

  return {
    plugins: [graphqlDocuments(), react()],
    resolve: { alias: { '@rjsf/validator-ajv8': fileURLToPath(new URL('tooling/no-ajv.mjs', import.meta.url)) } },
    build: {
      // The console, and the API explorer, which brings another editor and shares nothing with it but the session.
      rolldownOptions: {
        input: ['index.html', 'graphiql.html'],
        // GraphiQL's files say "use no memo" to a compiler that we do not run; the bundler need not mention each.
        checks: { moduleLevelDirective: false },
      },
      // These know `light-dark()`, which the lowered form of it does not do for colours that are variables.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      // Names the files of each entry, for `npm run size`.
      manifest: true,
      // What is served carries the notices that its licences ask for.
      license: { fileName: 'third-party-licenses.md' },
      // Monaco alone is larger than the default limit; it is loaded only after access has been checked.
      chunkSizeWarningLimit: 3000,
    },
    // Monaco's workers import lazily, which the default worker format cannot express.
    worker: { format: 'es' },
    server: { proxy },
    preview: { proxy },
    test: {
      include: ['src/**/*.test.{ts,tsx}', 'tooling/**/*.test.mjs'],
      setupFiles: ['src/testing/setup.ts'],
      restoreMocks: true,
      // Its imports are for a bundler: without endings, and with our alias for the validator.
      server: { deps: { inline: [/@rjsf/] } },
    },
  };
});
