import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildIfChanged } from '../../dashboard/build/build-if-changed.ts'
import { ROOT } from '../../dashboard/build/fingerprint.ts'
import { licenseNotices, packageFolders } from './licenses.ts'

/**
 * `npm run build`: bundles the server into `dist/` unless nothing has changed. It runs without `node_modules`.
 *
 *     dist/main.js                     the command line: node dist/main.js serve
 *     dist/<name>.js                   the entries of threads and processes
 *     dist/<name>-<hash>.js            shared code, and one file per command
 *     dist/third-party-licenses.txt    of the packages in the bundle
 */

await buildIfChanged({
  title: 'the server',
  folder: join(ROOT, 'dist'),
  workFolder: join(ROOT, '.build'),
  inputs: ['src', 'deploy/server', 'package.json', 'package-lock.json'],
  async build(folder) {
    const { bundleServer } = await import('./bundle-server.ts')
    const files = await bundleServer(folder)
    const packages = packageFolders(files)
    writeFileSync(join(folder, 'third-party-licenses.txt'), licenseNotices(packages))
    return { files, note: `${files.size} modules, with those of ${packages.length} packages` }
  },
})
