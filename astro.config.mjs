import node from '@astrojs/node';
import { defineConfig } from 'astro/config';
import { listModules } from './src/hosts/build/licences.ts';

/** The build names its folder. */
const outDir = process.env.BUILD_FOLDER ?? './dist';
const modules = listModules(`${outDir}/client-modules.json`);

/** The modules that every page loads are one file, because each file costs a reply with its headers. */
const common = {
  name: 'common',
  test: /\/(_scripts\/(dom|format|origin)|hosts\/worker\/register)\.ts$/,
};
/** What the desk shares with other pages stays in files of its own, so that these pages load nothing of the desk. */
const shared = [
  'lit-html/lit-html',
  'vite/preload-helper',
  'placements/stages',
  '_scripts/api-client',
  '_scripts/isolate',
  '_scripts/owner-session',
  '_scripts/visitor',
  '_scripts/workspace-store',
].map((path) => ({ name: path.replace(/^.*\//, ''), test: new RegExp(`${path}\\.[jt]s$`) }));
/** What the desk loads before a tab is open. */
const desk = {
  name: 'desk',
  test: /\/_desk\/((page|search|state)\/|shared\/(?!form-dialog)|lists\/columns|import\/import\.)/,
};
/** The row of a person for an order, which the shortlist shows too. */
const fit = { name: 'fit', test: /\/(_fit\/|_scripts\/(initials|icons|icon-paths|status-tone)\.ts)/ };
const form = { name: 'form', test: /\/_scripts\/form\// };
const environments = {
  client: {
    build: {
      rolldownOptions: { output: { codeSplitting: { groups: [common, ...shared, form, fit, desk] } } },
    },
  },
};

export default defineConfig({
  output: 'static',
  outDir,
  publicDir: './src/pages/_public',
  adapter: node({ mode: 'middleware' }),
  // With one page at a time, much of the build waits for the disk.
  build: { format: 'file', inlineStylesheets: 'never', concurrency: 16 },
  // No cookie exists, so there is no session to forge; the check would refuse a bare POST.
  security: { checkOrigin: false },
  session: false,
  // Colours would be inline styles, which the pages' Content-Security-Policy forbids.
  markdown: { syntaxHighlight: false },
  devToolbar: { enabled: false },
  // Every script and style is a file: the pages' Content-Security-Policy allows nothing inline.
  vite: {
    build: { assetsInlineLimit: 0 },
    environments,
    plugins: [modules],
    worker: { plugins: () => [modules] },
  },
  server: { port: Number(process.env.PORT ?? 4321) },
});
