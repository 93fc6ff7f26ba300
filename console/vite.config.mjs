import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  publicDir: false,
  build: {
    target: 'es2022',
    emptyOutDir: true,
    // The page's policy allows nothing that is written into it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
});
