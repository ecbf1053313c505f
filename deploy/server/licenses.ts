import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The packages that contain the files, by folder, in order. */
export function packageFolders(files: Iterable<string>): string[] {
  const folders = [...files].flatMap((file) => PACKAGE_FOLDER.exec(file)?.[0] ?? [])
  return [...new Set(folders)].sort()
}

const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/

/** Names, versions and license texts of packages. A package without a license file has its license by name only. */
export function licenseNotices(folders: readonly string[]): string {
  return folders
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      return [`${name} ${version} (${license})`, ...licenseTexts(folder)].join('\n\n')
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`)
}

function licenseTexts(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^(?:licen[cs]e|notice)/i.test(name) && existsSync(join(folder, name)))
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
}
