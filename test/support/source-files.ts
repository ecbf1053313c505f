import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

export interface SourceFile {
  /** From the root of the checkout: `src/slot/slot.ts`. */
  readonly path: string
  readonly text: string
  readonly imports: readonly Import[]
}

export interface Import {
  /** From the root of the checkout; a package's or built-in module's name as it is. */
  readonly target: string
  /** `import type`, or every name in it marked `type`. */
  readonly typeOnly: boolean
  /** `new URL('…', import.meta.url)`: how a thread's entry is named. */
  readonly byAddress: boolean
}

/** The TypeScript files below a folder of the checkout. */
export function sourceFiles(folder: string): SourceFile[] {
  return ['.ts', '.tsx']
    .flatMap((suffix) => listFiles(folder, suffix))
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8')
      return { path, text, imports: importsOf(path, text) }
    })
}

/** Paths from the root of the checkout, in order; what is installed or written at run time is left out. */
export function listFiles(folder: string, suffix: string): string[] {
  const skipped = new Set(['node_modules', '.git', 'data', 'dist'])
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return skipped.has(entry.name) ? [] : listFiles(path, suffix)
      return entry.name.endsWith(suffix) ? [path] : []
    })
    .sort()
}

/** Static imports, re-exports, `import()` and addresses of a literal. The formatter's one form is what makes patterns enough. */
function importsOf(path: string, text: string): Import[] {
  const statics = text.matchAll(
    /^(?:import|export)\s+(type\s+)?(\{[^}]*\}|\*[^'\n]*|[\w$]+)?\s*(?:from\s+)?'([^']+)'/gm,
  )
  const dynamics = text.matchAll(/\b(import|new URL)\(\s*'([^']+)'/g)
  return [
    ...[...statics].map(([, type, names, target]) => ({
      target: resolved(path, target),
      typeOnly: type !== undefined || onlyTypes(names),
      byAddress: false,
    })),
    ...[...dynamics].map(([, word, target]) => ({
      target: resolved(path, target),
      typeOnly: false,
      byAddress: word === 'new URL',
    })),
  ]
}

function onlyTypes(names: string | undefined): boolean {
  if (names === undefined || !names.startsWith('{')) return false
  const each = names
    .slice(1, -1)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return each.length > 0 && each.every((name) => name.startsWith('type '))
}

function resolved(path: string, target: string): string {
  return target.startsWith('.') ? normalize(relative(ROOT, join(ROOT, dirname(path), target))) : target
}
