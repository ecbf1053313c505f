import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { DOCS_PAGES } from '../dashboard/build/docs-pages.ts'
import { PROBLEMS } from '../src/http/problem.ts'
import { DASHBOARD_PROBLEMS } from '../src/shared/dashboard-problem.ts'
import { listFiles, ROOT, sourceFiles } from './support/source-files.ts'

const PAGES = listFiles('.', '.md').map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

test('every internal link leads to an existing file and heading', () => {
  const broken = PAGES.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link]) => link)
      .filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(path, link))
      .map((link) => `${path}: ${link}`),
  )
  assert.deepEqual(broken, [])
})

test('every npm script named in a page exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const named = PAGES.flatMap(({ path, text }) =>
    [...text.matchAll(/\bnpm (?:run (?:-s )?([\w:-]+)|(test|start)\b)/g)].map(([, script, own]) => ({
      path,
      script: script ?? own,
    })),
  )
  assert.ok(named.length > 5)
  assert.deepEqual(
    named.filter(({ script }) => !(script in scripts)),
    [],
  )
})

test('the two commands of the README exist as written', () => {
  const readme = PAGES.find(({ path }) => path === 'README.md')?.text ?? ''
  assert.match(readme, /^ {4}npm ci && npm run demo$/m)
  assert.match(readme, /^ {4}npm ci && npm test$/m)
})

test('docs/errors.md has a section for every problem, in order of status, and for no other', () => {
  const [page] = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8').split('\n## Dashboard API\n')
  const sections = [...page.matchAll(/^## (\d+) (.+)\n\nKind `([\w-]+)`\./gm)].map(([, status, error, kind]) => ({
    kind,
    status: Number(status),
    error,
  }))
  const problems = Object.entries(PROBLEMS).map(([kind, { status, error }]) => ({
    kind,
    status,
    error: String(error),
  }))
  assert.deepEqual(
    sections,
    problems.sort((a, b) => a.status - b.status),
  )
  assert.equal(sections.length, [...page.matchAll(/^## /gm)].length)
})

test('docs/errors.md has a section for every problem of the dashboard API, in order of status, and for no other', () => {
  const [, part] = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8').split('\n## Dashboard API\n')
  const sections = [...part.matchAll(/^### (.+)\n\n(\d+) `(.+)`\./gm)].map((match) => match.slice(1))
  assert.deepEqual(
    sections,
    Object.entries(DASHBOARD_PROBLEMS).map(([code, { status, title }]) => [code, String(status), title]),
  )
  assert.equal(sections.length, [...part.matchAll(/^##/gm)].length)
})

test('every page of the documentation that the service and the dashboard link to exists', () => {
  const files = [...sourceFiles('src'), ...sourceFiles('dashboard/src')].filter(
    ({ path }) => !/\.test\.tsx?$/.test(path),
  )
  const links = files.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w.])(?:\/docs|\$\{\w*docsUrl\})\/([\w/-]+)(?!\.md)\b/g)].map(([, name]) => ({
      path,
      name,
    })),
  )
  assert.ok(links.length > 5)
  const names = new Set(DOCS_PAGES.map(({ name }) => name))
  assert.deepEqual(
    links.filter(({ name }) => !names.has(name)),
    [],
  )
})

function leadsSomewhere(from: string, link: string): boolean {
  const [file, heading] = link.split('#')
  const target = file === '' ? join(ROOT, from) : join(ROOT, dirname(from), decodeURIComponent(file))
  if (!existsSync(target)) return false
  return heading === undefined || headingNames(readFileSync(target, 'utf8')).includes(heading)
}

/** As GitHub names them: lower case, spaces to hyphens, no other signs. */
function headingNames(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}
