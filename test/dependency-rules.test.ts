import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Import, listFiles, type SourceFile, sourceFiles } from './support/source-files.ts'

/** What a room may import of ours, beside itself: a room, one file of a room, or either for its types alone. */
const WALLS: Record<string, readonly string[]> = {
  lib: [],
  slot: ['lib'],
  'slot-index': ['lib', 'slot'],
  keys: ['lib'],
  shared: ['lib', 'type slot'],
  store: ['lib', 'slot', 'shared', 'keys', 'type feeds/source-options.ts'],
  feeds: ['lib', 'slot', 'shared'],
  validator: ['lib', 'slot', 'shared', 'feeds'],
  sync: ['lib', 'slot', 'slot-index', 'shared', 'store', 'feeds', 'type keys'],
  config: ['lib'],
  notifications: ['lib', 'shared', 'store', 'feeds/http', 'type config'],
  auth: ['lib', 'shared', 'store', 'notifications', 'type config'],
  http: ['lib', 'slot', 'slot-index', 'keys', 'shared', 'store', 'feeds', 'sync', 'auth'],
}

/** Pure modules of the server that the dashboard uses at run time. */
const DASHBOARD_EXCEPTIONS = new Set(['src/feeds/files/csv-columns.ts', 'src/slot/filter-parameters.ts'])

/** They may import whatever they wire. */
const FREE = new Set(['workers', 'cli', ''])

/** Of Node, the pure rooms get what neither waits, nor reads, nor asks the time. */
const PURE_BUILT_INS = new Set(['node:crypto', 'node:buffer', 'node:zlib'])

/** Packages that only compute. */
const PURE_PACKAGES = new Set(['geokdbush'])

/** By a program, out of the OpenAPI document. */
const WRITTEN = 'client/src/api.ts'

const FILES = sourceFiles('src')
const PRODUCT = FILES.filter(({ path }) => !path.includes('.test'))

test('a room imports only the rooms that its wall lets through', () => {
  assert.deepEqual(
    PRODUCT.flatMap((file) =>
      file.imports.filter((each) => !isAllowed(file, each)).map((each) => said(file, each)),
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
      .map((each) => said(file, each)),
  )
  assert.deepEqual(server, [])
})

test('every folder of src is a room of the table', () => {
  const rooms = new Set(FILES.map(({ path }) => roomOf(path)))
  assert.deepEqual(
    [...rooms].filter((room) => !(room in WALLS) && !FREE.has(room)),
    [],
  )
})

test('no room imports itself by way of others', () => {
  const edges = new Map<string, Set<string>>()
  for (const file of PRODUCT) {
    for (const { target } of file.imports.filter((each) => each.target.startsWith('src/'))) {
      const [from, to] = [roomOf(file.path), roomOf(target)]
      if (from !== to && from !== '' && to !== '') edges.set(from, (edges.get(from) ?? new Set()).add(to))
    }
  }
  assert.deepEqual(
    [...edges.keys()].filter((room) => reaches(edges, room, room)),
    [],
  )
})

test('the slot, its index and the keys neither read, nor wait, nor ask the time, and need no package but pure ones', () => {
  const pure = PRODUCT.filter(({ path }) => ['slot', 'slot-index', 'keys'].includes(roomOf(path)))
  assert.deepEqual(
    pure.flatMap((file) => [
      ...file.imports
        .filter(({ target }) => !target.startsWith('src/') && !PURE_BUILT_INS.has(target))
        .filter(({ target }) => !PURE_PACKAGES.has(target))
        .map((each) => said(file, each)),
      ...matches(file, /\b(?:Date\.now|performance\.now|new Date\(\)|Math\.random|process\.env)\b/g),
    ]),
    [],
  )
})

test('a file marked as hot path never waits', () => {
  const hot = PRODUCT.filter(({ text }) => text.startsWith('// Hot path'))
  assert.ok(hot.length > 0)
  assert.deepEqual(
    hot.flatMap((file) => matches({ ...file, text: withoutComments(file.text) }, /\b(?:await|async)\b/g)),
    [],
  )
})

test('only config.ts reads the environment; main.ts hands it over', () => {
  const readers = PRODUCT.filter(({ text }) => /\bprocess\.env\b/.test(withoutComments(text)))
  assert.deepEqual(
    readers
      .map(({ path }) => path)
      .filter((path) => path !== 'src/config/config.ts' && path !== 'src/main.ts'),
    [],
  )
})

test('no file is longer than 300 lines, no function than 70', () => {
  const everything = [
    ...FILES,
    ...['test', 'demo', 'bench', 'client', 'dashboard/src'].flatMap((folder) => sourceFiles(folder)),
  ].filter(({ path }) => path !== WRITTEN)
  assert.deepEqual(
    everything.flatMap((file) => [
      ...(lineCount(file.text) > 300 ? [`${file.path} has ${lineCount(file.text)} lines`] : []),
      ...longFunctions(file).map(
        ({ line, length }) => `${file.path}:${line} has a function of ${length} lines`,
      ),
    ]),
    [],
  )
})

test('no file is named for nothing in particular, and none gathers others to export them', () => {
  const named = listFiles('src', '').filter((path) =>
    /(?:^|\/)(?:utils?|helpers?|common|index)(?:\.|\/)/.test(path),
  )
  const barrels = PRODUCT.filter(({ text }) => /^export (?:\*|\{[^}]*\}) from /m.test(text)).map(
    ({ path }) => path,
  )
  assert.deepEqual([...named, ...barrels], [])
})

function isAllowed(file: SourceFile, { target, typeOnly, byAddress }: Import): boolean {
  const from = roomOf(file.path)
  // A thread's entry is wiring, and lies beside the rooms; whoever starts the thread only names it.
  if (byAddress && roomOf(target) === '') return true
  if (!target.startsWith('src/') || FREE.has(from) || roomOf(target) === from) return true
  const path = target.slice('src/'.length)
  return WALLS[from].some((allowed) => {
    const wanted = allowed.replace(/^type /, '')
    return (path === wanted || path.startsWith(`${wanted}/`)) && (typeOnly || wanted === allowed)
  })
}

/** The folder below `src/`; an empty string for the files beside the rooms. */
function roomOf(path: string): string {
  const parts = path.split('/')
  return parts.length > 2 ? parts[1] : ''
}

function said(file: SourceFile, { target, typeOnly }: Import): string {
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
    (match) => `${file.path}:${lineCount(file.text.slice(0, match.index))} says ${match[0]}`,
  )
}

function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|\s)\/\/.*$/gm, '$1')
}

function lineCount(text: string): number {
  return text.trimEnd().split('\n').length
}

/** The formatter indents a function's end as its beginning, so lines are enough to measure it. */
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
    /^\s*(?:\}?\s*(?:if|for|while|switch|else|do|try|catch|finally)\b|class\b|export class\b|describe\()/.test(
      line,
    )
  const isMethod = /^\s+(?:static |async |override |get |set |\*)*#?[\w$]+\((?:.*\{)?$/.test(line)
  return !isControl && (isMethod || /(?:\bfunction\b.*|=> )[({]$/.test(line))
}

/** `): Promise<void> {` closes a list of parameters and opens the body. */
function isStillOpen(line: string): boolean {
  return line.endsWith('{')
}
