import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { ROOT } from './support/source-files.ts'

// Renders the chart with the libraries that Helm renders with, and validates each object against the schema of its kind. Needs Debian's
// packages golang-go, golang-github-masterminds-sprig-dev and golang-k8s-sigs-yaml-dev.

type KubernetesObject = Readonly<Record<string, unknown>> & { readonly apiVersion: string; readonly kind: string }

const CHART = join(ROOT, 'deploy/helm/scheduling-slots')
const LIBRARIES = '/usr/share/gocode'
const SKIPPED =
  !existsSync('/usr/bin/go') || !existsSync(`${LIBRARIES}/src/github.com/Masterminds/sprig`)
    ? 'Go and Sprig are not installed: Debian has them in golang-go and golang-github-masterminds-sprig-dev'
    : false

const REQUIRED = {
  image: { repository: 'registry.example.org/scheduling-slots' },
  baseUrl: 'https://slots.example.org',
  database: { existingSecret: 'slots-database' },
}

/** Values that operators set, beside those required, and the kinds that exist then beside those that always do. */
const INSTALLATIONS: Readonly<Record<string, { values: object; kinds: readonly string[] }>> = {
  'the least': { values: {}, kinds: [] },
  'an ingress with TLS': {
    values: {
      ingress: {
        enabled: true,
        className: 'nginx',
        host: 'slots.example.org',
        tlsSecret: 'slots-tls',
        annotations: { 'cert-manager.io/cluster-issuer': 'example' },
      },
    },
    kinds: ['Ingress'],
  },
  autoscaling: { values: { autoscaling: { enabled: true } }, kinds: ['HorizontalPodAutoscaler'] },
  'both monitors': {
    values: {
      metrics: {
        enabled: true,
        podMonitor: { enabled: true },
        serviceMonitor: { enabled: true },
        monitorLabels: { release: 'prometheus' },
      },
    },
    kinds: ['PodMonitor', 'ServiceMonitor'],
  },
  'every list and map': {
    values: {
      image: { digest: `sha256:${'0'.repeat(64)}` },
      imagePullSecrets: [{ name: 'registry' }],
      database: { directUrlKey: 'direct-url' },
      config: { SYNC_CONCURRENCY: '8', SERVICE_NAME: 'Slots: "north", 1' },
      configSecrets: ['slots-mail'],
      trustedProxies: 2,
      nodeSelector: { 'kubernetes.io/arch': 'amd64' },
      tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'slots', effect: 'NoSchedule' }],
      affinity: { nodeAffinity: {} },
      podAnnotations: { 'example.org/team': 'scheduling' },
      podLabels: { team: 'scheduling' },
      networkPolicy: {
        from: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
        metricsFrom: [{ podSelector: {} }],
        database: { to: [{ ipBlock: { cidr: '10.1.2.3/32' } }] },
        webTo: [],
      },
    },
    kinds: [],
  },
}

const ALWAYS = ['Deployment', 'NetworkPolicy', 'PodDisruptionBudget', 'Service']

const folder = mkdtempSync(join(tmpdir(), 'render-chart-'))
const renderer = join(folder, 'render-chart')

before(async () => {
  if (SKIPPED !== false) return
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: LIBRARIES, GOCACHE: join(folder, 'cache') }
  await promisify(execFile)('go', ['build', '-o', renderer, 'test/support/helm/render-chart.go'], { cwd: ROOT, env })
})

after(() => rmSync(folder, { recursive: true }))

for (const [name, { values, kinds }] of Object.entries(INSTALLATIONS))
  test(`the chart renders valid objects for ${name}`, { skip: SKIPPED }, async () => {
    const objects = await render(merge(REQUIRED, values))
    assert.deepEqual(objects.map(({ kind }) => kind).sort(), [...ALWAYS, ...kinds].sort())
    for (const object of objects) assert.deepEqual(await findingsOf(object), [], JSON.stringify(object, null, 2))
  })

test('the chart renders valid objects for a database under Patroni', { skip: SKIPPED }, async () => {
  const { database: _, ...others } = REQUIRED
  const values = readFileSync(join(ROOT, 'deploy/helm/values-patroni.yaml'), 'utf8')
  const objects = await renderText(
    `${values}\n${Object.entries(others)
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
      .join('\n')}\n`,
  )
  assert.deepEqual(objects.map(({ kind }) => kind).sort(), ALWAYS)
  for (const object of objects) assert.deepEqual(await findingsOf(object), [], JSON.stringify(object, null, 2))
  assert.match(JSON.stringify(at(objects, 'NetworkPolicy', 'spec.egress')), /"cluster-name":"slots"/)
})

test('a selector selects the pods of the chart, whatever the labels', { skip: SKIPPED }, async () => {
  const objects = await render(merge(REQUIRED, { podLabels: { team: 'scheduling' }, metrics: { enabled: true } }))
  const { labels } = at(objects, 'Deployment', 'spec.template.metadata') as { labels: Record<string, string> }
  for (const [kind, path] of [
    ['Deployment', 'spec.selector.matchLabels'],
    ['Service', 'spec.selector'],
    ['PodDisruptionBudget', 'spec.selector.matchLabels'],
    ['NetworkPolicy', 'spec.podSelector.matchLabels'],
  ]) {
    const selector = Object.entries(at(objects, kind, path) as object)
    assert.ok(selector.length > 0, kind)
    for (const [label, value] of selector) assert.equal(labels[label], value, `${kind}: ${label}`)
  }
})

test('numbers of the configuration reach the service exactly', { skip: SKIPPED }, async () => {
  const config = {
    AUDIT_ENTRIES_MAX: 20_000_000,
    RATE_LIMIT_KEY_REQUESTS: 1_234_567,
    SERVICE_NAME: '007',
    PASSWORD_SIGN_IN: false,
  }
  const [{ env }] = at(await render(merge(REQUIRED, { config })), 'Deployment', 'spec.template.spec.containers') as [
    { env: { name: string; value: string }[] },
  ]
  for (const [name, value] of Object.entries(config))
    assert.equal(env.find((one) => one.name === name)?.value, String(value), name)
})

test('a missing required value is named', { skip: SKIPPED }, async () => {
  await assert.rejects(render({ ...REQUIRED, image: {} }), /image\.repository must be set/)
  await assert.rejects(render({ ...REQUIRED, baseUrl: '' }), /baseUrl must be set/)
  await assert.rejects(render({ ...REQUIRED, database: {} }), /database\.existingSecret must be set/)
  await assert.rejects(render({ ...REQUIRED, ingress: { enabled: true } }), /ingress\.host must be set/)
})

test('the schemas find faults', { skip: SKIPPED }, async () => {
  const [deployment] = (await render(REQUIRED)).filter(({ kind }) => kind === 'Deployment')
  assert.notDeepEqual(await findingsOf({ ...deployment, spec: { replicas: 'two' } }), [])
})

function render(values: object): Promise<KubernetesObject[]> {
  return renderText(JSON.stringify(values))
}

async function renderText(values: string): Promise<KubernetesObject[]> {
  const running = promisify(execFile)(renderer, [CHART])
  running.child.stdin?.end(values)
  const { stdout } = await running
  return Object.values(JSON.parse(stdout) as Record<string, KubernetesObject[]>).flat()
}

/** Kinds of the Prometheus operator have the group monitoring.coreos.com. */
async function findingsOf(object: KubernetesObject): Promise<string[]> {
  const isOfOperator = object.apiVersion.startsWith('monitoring.coreos.com/')
  const models = isOfOperator ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'
  const { [object.kind]: Model } = await import(`${models}/${object.apiVersion}/${object.kind}`)
  try {
    new Model(object).validate()
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

function at(objects: readonly KubernetesObject[], kind: string, path: string): unknown {
  const object: unknown = objects.find((each) => each.kind === kind)
  return path.split('.').reduce((part, key) => (part as Record<string, unknown>)[key], object)
}

function merge(values: Record<string, object | string>, more: object): Record<string, object | string> {
  const merged: Record<string, object | string> = { ...values }
  for (const [key, value] of Object.entries(more))
    merged[key] = typeof merged[key] === 'object' ? { ...(merged[key] as object), ...value } : value
  return merged
}
