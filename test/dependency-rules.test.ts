import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentedModules, formatModules, MODULES } from './support/modules.ts'
import { type Import, listFiles, type SourceFile, sourceFiles } from './support/source-files.ts'

/** Pure modules of the server that the dashboard uses at run time. */
const DASHBOARD_EXCEPTIONS = new Set([
  'src/feeds/files/csv-columns.ts',
  'src/slot/filter-parameters.ts',
  'src/slot/geo-radius.ts',
])

/** Built-in modules without I/O and clock, for pure modules. */
const PURE_BUILT_INS = new Set(['node:crypto', 'node:buffer', 'node:zlib'])

/** Packages without I/O and clock, for pure modules. */
const PURE_PACKAGES = new Set(['geokdbush'])

/** Generated from the OpenAPI document. */
const GENERATED = 'client/src/api.ts'

const EXPORTED = /^export (?:async )?(?:abstract )?(?:function\*?|class|interface|type|const|let) ([\w$]+)/gm

const FILES = sourceFiles('src')
const PRODUCT = FILES.filter(({ path }) => !path.includes('.test'))

test('a module imports only the modules that its rule allows', () => {
  assert.deepEqual(
    PRODUCT.flatMap((file) =>
      file.imports.filter((each) => !isAllowed(file, each)).map((each) => describe(file, each)),
    ),
    [],
  )
})

test('the dashboard imports only what server and dashboard share, and the client nothing of the server', () => {
  const product = ['dashboard/src', 'client/src'].flatMap((folder) =>
    sourceFiles(folder).filter(({ path }) => !path.includes('.test')),
  )
  assert.ok(product.some(({ path }) => path.endsWith('.tsx')))
  const server = product.flatMap((file) =>
    file.imports
      .filter(({ target }) => target.startsWith('src/'))
      .filter(({ target, typeOnly }) => {
        if (!file.path.startsWith('dashboard/')) return true
        if (target.startsWith('src/slot/') && typeOnly) return false
        return !/^src\/(?:shared|lib)\//.test(target) && !DASHBOARD_EXCEPTIONS.has(target)
      })
      .map((each) => describe(file, each)),
  )
  assert.deepEqual(server, [])
})

test('every folder of src is a module of the table, and docs/design.md has the table', () => {
  const modules = new Set(FILES.map(({ path }) => moduleOf(path)))
  assert.deepEqual(
    [...modules].filter((name) => name !== '' && !(name in MODULES)),
    [],
  )
  assert.equal(documentedModules(), formatModules(), 'run: npm run docs:modules')
})

test('no exported name is defined in two files', () => {
  const files = new Map<string, string[]>()
  for (const { path, text } of [...PRODUCT, ...sourceFiles('dashboard/src')]) {
    for (const [, name] of text.matchAll(EXPORTED)) files.set(name, [...(files.get(name) ?? []), path])
  }
  assert.deepEqual(
    [...files].filter(([, paths]) => new Set(paths).size > 1).map(([name, paths]) => `${name}: ${paths.join(', ')}`),
    [],
  )
})

test('modules, and the folders of the slot index, have no import cycles', () => {
  assert.deepEqual(namesInCycles(moduleOf), [])
  assert.deepEqual(namesInCycles(slotIndexFolderOf), [])
  assert.equal(slotIndexFolderOf('src/slot-index/runs/run.ts'), 'runs')
})

test('slot, slot-index and keys use no I/O, no clock and only pure packages', () => {
  const pure = PRODUCT.filter(({ path }) => ['slot', 'slot-index', 'keys'].includes(moduleOf(path)))
  assert.deepEqual(
    pure.flatMap((file) => [
      ...file.imports
        .filter(({ target }) => !target.startsWith('src/') && !PURE_BUILT_INS.has(target))
        .filter(({ target }) => !PURE_PACKAGES.has(target))
        .map((each) => describe(file, each)),
      ...matches(file, /\b(?:Date\.now|performance\.now|new Date\(\)|Math\.random|process\.env)\b/g),
    ]),
    [],
  )
})

test('a hot path file does not await', () => {
  const hot = PRODUCT.filter(({ text }) => text.startsWith('// Hot path'))
  assert.ok(hot.length > 0)
  assert.deepEqual(
    hot.flatMap((file) => matches({ ...file, text: withoutComments(file.text) }, /\b(?:await|async)\b/g)),
    [],
  )
})

test('only config.ts and main.ts read the environment', () => {
  const readers = PRODUCT.filter(({ text }) => /\bprocess\.env\b/.test(withoutComments(text)))
  assert.deepEqual(
    readers.map(({ path }) => path).filter((path) => path !== 'src/config/config.ts' && path !== 'src/main.ts'),
    [],
  )
})

test('no file has more than 300 lines, no function more than 70', () => {
  const everything = [
    ...FILES,
    ...['test', 'demo', 'bench', 'client', 'dashboard/src'].flatMap((folder) => sourceFiles(folder)),
  ].filter(({ path }) => path !== GENERATED)
  assert.deepEqual(
    everything.flatMap((file) => [
      ...(lineCount(file.text) > 300 ? [`${file.path} has ${lineCount(file.text)} lines`] : []),
      ...longFunctions(file).map(({ line, length }) => `${file.path}:${line} has a function of ${length} lines`),
    ]),
    [],
  )
})

test('no file has a generic name, and none is a barrel', () => {
  const named = listFiles('src', '').filter((path) => /(?:^|\/)(?:utils?|helpers?|common|index)(?:\.|\/)/.test(path))
  const barrels = PRODUCT.filter(({ text }) => /^export (?:\*|\{[^}]*\}) from /m.test(text)).map(({ path }) => path)
  assert.deepEqual([...named, ...barrels], [])
})

function isAllowed(file: SourceFile, { target, typeOnly, byAddress }: Import): boolean {
  const from = moduleOf(file.path)
  // A thread's entry is started by its URL.
  if (byAddress && moduleOf(target) === '') return true
  if (!target.startsWith('src/') || from === '' || moduleOf(target) === from) return true
  const { imports } = MODULES[from]
  const path = target.slice('src/'.length)
  return (
    imports === 'all' ||
    imports.some((allowed) => {
      const prefix = allowed.replace(/^type /, '')
      return (path === prefix || path.startsWith(`${prefix}/`)) && (typeOnly || prefix === allowed)
    })
  )
}

/** The folder below `src/`; an empty string for files directly in it. */
function moduleOf(path: string): string {
  const parts = path.split('/')
  return parts.length > 2 ? parts[1] : ''
}

/** The folder below `src/slot-index/`; an empty string for other files. */
function slotIndexFolderOf(path: string): string {
  return /^src\/slot-index\/([^/]+)\//.exec(path)?.[1] ?? ''
}

/** The names of files that import each other; files without a name are left out. */
function namesInCycles(nameOf: (path: string) => string): string[] {
  const edges = new Map<string, Set<string>>()
  for (const file of PRODUCT) {
    for (const { target } of file.imports.filter((each) => each.target.startsWith('src/'))) {
      const [from, to] = [nameOf(file.path), nameOf(target)]
      if (from !== to && from !== '' && to !== '') edges.set(from, (edges.get(from) ?? new Set()).add(to))
    }
  }
  return [...edges.keys()].filter((name) => reaches(edges, name, name))
}

function describe(file: SourceFile, { target, typeOnly }: Import): string {
  return `${file.path} imports ${typeOnly ? 'types of ' : ''}${target}`
}

function reaches(edges: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set<string>()
  const waiting = [...(edges.get(from) ?? [])]
  for (let room = waiting.pop(); room !== undefined; room = waiting.pop()) {
    if (room === to) return true
    if (seen.has(room)) continue
    seen.add(room)
    waiting.push(...(edges.get(room) ?? []))
  }
  return false
}

function matches(file: SourceFile, pattern: RegExp): string[] {
  return [...file.text.matchAll(pattern)].map(
    (match) => `${file.path}:${lineCount(file.text.slice(0, match.index))} has ${match[0]}`,
  )
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' ')).replace(/(^|\s)\/\/.*$/gm, '$1')
}

function lineCount(text: string): number {
  return text.trimEnd().split('\n').length
}

/** The formatter indents a function's end like its beginning, so lines are enough to measure it. */
function longFunctions(file: SourceFile): { line: number; length: number }[] {
  const lines = file.text.split('\n')
  return lines.flatMap((text, at) => {
    if (!isFunctionStart(text)) return []
    const indent = text.length - text.trimStart().length
    const end = lines.findIndex(
      (other, line) => line > at && new RegExp(`^ {${indent}}[})\\]]`).test(other) && !isStillOpen(other),
    )
    return end - at + 1 > 70 ? [{ line: at + 1, length: end - at + 1 }] : []
  })
}

function isFunctionStart(line: string): boolean {
  const isControl =
    /^\s*(?:\}?\s*(?:if|for|while|switch|else|do|try|catch|finally)\b|class\b|export class\b|describe\()/.test(line)
  const isMethod = /^\s+(?:static |async |override |get |set |\*)*#?[\w$]+\((?:.*\{)?$/.test(line)
  return !isControl && (isMethod || /(?:\bfunction\b.*|=> )[({]$/.test(line))
}

/** `): Promise<void> {` closes a list of parameters and opens the body. */
function isStillOpen(line: string): boolean {
  return line.endsWith('{')
}
