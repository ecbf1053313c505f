import { join } from 'node:path'
import { assertWithinBudget, assertWithoutSchemas } from './build/budget.ts'
import { buildIfChanged } from './build/build-if-changed.ts'
import { compressAssets } from './build/compress-assets.ts'

/**
 * `npm run build`: builds the dashboard and the docs into `dashboard/dist/` unless nothing has changed.
 *
 *     dist/app.html          the shell of the dashboard, served at /app and below
 *     dist/assets/           scripts, styles and the search index, named by hash: immutable; .br and .gz beside them
 *     dist/favicon.svg …     the files of public/, icons and the social preview, served at the root
 *     dist/site/             static pages: index.html is /, docs.html is /docs, docs/<name>.html is
 *                            /docs/<name>, docs/<name>.md beside it, docs.md, llms.txt, sitemap.xml, 404.html
 *     dist/.built-from       hash of the inputs
 *
 * The service replaces `__BASE_URL__` in app.html and site/ with its own address.
 */

const HERE = import.meta.dirname

await buildIfChanged({
  title: 'the dashboard and the docs',
  folder: join(HERE, 'dist'),
  workFolder: join(HERE, '.build'),
  inputs: [
    'dashboard',
    'docs',
    'src/lib/text.ts',
    'src/shared',
    'src/http/problem.ts',
    'src/http/v1',
    'src/slot',
    'SECURITY.md',
    'CHANGELOG.md',
    'package-lock.json',
  ],
  async build(folder) {
    const [{ bundle }, { renderSite }, { writeIcons }] = await Promise.all([
      import('./build/bundle.ts'),
      import('./build/render-site.ts'),
      import('./build/icons.ts'),
    ])
    const { manifest, files } = await bundle(folder)
    assertWithoutSchemas(files)
    const bytes = assertWithinBudget(folder, manifest)
    renderSite(folder, manifest)
    writeIcons(folder)
    compressAssets(join(folder, 'assets'))
    return { files, note: `${(bytes / 1000).toFixed(1)} kB (gzipped) of script to the first frame` }
  },
})
