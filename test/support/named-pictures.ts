import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles, ROOT } from './source-files.ts'

/** A picture of docs/screenshots that a page shows. */
export interface NamedPicture {
  /** The page, from the root of the checkout. */
  readonly page: string
  readonly alt: string
  /** As in the table of places: `keys`. */
  readonly name: string
}

/** The pictures that the Markdown files name, in either scheme. */
export function namedPictures(): NamedPicture[] {
  return listFiles('.', '.md').flatMap((page) =>
    [
      ...readFileSync(join(ROOT, page), 'utf8').matchAll(
        /!\[([^\]]*)\]\([\w./]*screenshots\/([\w-]+)-(?:light|dark)\.webp\)/g,
      ),
    ].map(([, alt, name]) => ({ page, alt, name })),
  )
}
