import react from '@vitejs/plugin-react';
import { loadEnv } from 'vite';
import { defineConfig } from 'vitest/config';

export default defineConfig(({ mode }) => {
  const server = loadEnv(mode, '.', 'API_')['API_URL'] ?? 'http://127.0.0.1:8080';

  return {
    plugins: [react()],
    build: {
      // One HTML file a page; the server gives each its path without `.html`.
      rolldownOptions: {
        input: ['graphiql.html', 'sign-in.html'],
        // GraphiQL's files say "use no memo" to a compiler that we do not run; the bundler need not mention each.
        checks: { moduleLevelDirective: false },
      },
      // What is served carries the notices that its licences ask for.
      license: { fileName: 'third-party-licenses.md' },
      // Monaco alone is larger than the default limit; it is loaded only after access has been checked.
      chunkSizeWarningLimit: 3000,
    },
    // Monaco's workers import lazily, which the default worker format cannot express.
    worker: { format: 'es' },
    server: { proxy: { '/graphql': { target: server, ws: true } } },
    test: { include: ['src/**/*.test.ts'] },
  };
});
